#include "broker/session.h"

#include <signal.h>
#include <sys/wait.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/json_text.h"
#include "broker/log_text.h"
#include "jail/seal_names.h"
#include "jail/zygote_protocol.h"
#include "wire/limits.h"

namespace glovebox::broker {
namespace {

namespace asio = boost::asio;
using std::chrono::duration;
using std::chrono::duration_cast;
using std::chrono::milliseconds;

// How often a run is looked at for the limits that no kernel timer watches. Native code writes up to 2 MB in a
// millisecond into memory that was mapped before, and must not get far beyond its limit in between.
constexpr milliseconds kWatchInterval{5};

// A run that computes for longer steps back behind short ones, the zygote and whatever else the machine does.
constexpr milliseconds kCpuAtFullPriority{100};

double as_ms(Session::Clock::duration span) {
  return duration<double, std::milli>(span).count();
}

std::string megabytes(std::size_t bytes) {
  return std::to_string(bytes >> 20) + " MB";
}

Ending ending_of(RunError error) {
  switch (error.type) {
    case ErrorType::kTimeoutError:
    case ErrorType::kMemoryError:
    case ErrorType::kLimitError: return LimitHit{std::move(error)};
    case ErrorType::kPermissionError: return Denied{std::move(error)};
    case ErrorType::kSandboxError: return Crashed{std::move(error)};
    default: return Failed{std::move(error)};
  }
}

}  // namespace

Session::Session(asio::io_context& io, RunRequest request, Clock::time_point submitted, jail::GuestProcess guest,
                 Done done)
    : request_(std::move(request)),
      submitted_(submitted),
      guest_(std::move(guest)),
      done_(std::move(done)),
      socket_(io, asio::local::stream_protocol(), guest_.take_socket().release()),
      watchdog_(io),
      reader_(std::max(request_.config.max_output_bytes + wire::kFrameOverheadBytes, kMaxSmallPayloadBytes)) {
  outcome_.metrics.seed = *request_.seed;
  outcome_.metrics.now_ms = *request_.now_ms;
  outcome_.metrics.pooled = guest_.warm();
}

std::string Session::run_frame() const {
  const SandboxConfig& config = request_.config;
  std::string frame = wire::begin_frame(request_.code.size() + request_.context_json.size() + 1024);
  frame += R"({"frame":"run","lang":)";
  frame += request_.language == Language::kTypeScript ? R"("ts")" : R"("js")";
  frame += ",\"now\":" + std::to_string(*request_.now_ms);
  frame += ",\"memoryBytes\":" + std::to_string(config.memory_bytes);
  frame += ",\"maxOutputBytes\":" + std::to_string(config.max_output_bytes);
  frame += ",\"maxLogBytes\":" + std::to_string(config.max_log_bytes);
  frame += ",\"seed\":" + base::json_string(*request_.seed);
  frame += ",\"name\":" + base::json_string(request_.name);
  frame += ",\"code\":";
  base::append_json_string(frame, request_.code);
  frame += ",\"context\":";
  frame += request_.context_json;
  frame += '}';
  wire::end_frame(frame);
  return frame;
}

void Session::start() {
  if (const auto limited = guest_.limit_memory(request_.config.memory_bytes); !limited) {
    started_ = Clock::now();
    // A guest that is gone already could not be sealed; how it ended says why, and the zygote is about to tell.
    if (limited.failure().code == ErrorCode::kSandboxUnavailable) {
      arm_watchdog();
      return stream_ended();
    }
    return finish(Crashed{{ErrorType::kSandboxError, "GUEST_CRASHED", limited.failure().message, "", {}}});
  }
  cpu_at_start_ = guest_.cpu_time();
  started_ = Clock::now();
  outcome_.metrics.startup_ms = as_ms(started_ - submitted_);
  send(std::make_shared<std::string>(run_frame()));
  read_more();
  arm_watchdog();
}

void Session::send(std::shared_ptr<std::string> frame) {
  outgoing_.push_back(std::move(frame));
  if (outgoing_.size() == 1) write_next();
}

void Session::write_next() {
  const auto frame = outgoing_.front();
  asio::async_write(socket_, asio::buffer(*frame), [self = shared_from_this(), frame](auto error, std::size_t) {
    if (self->finished_ || error) return;  // the reading side tells why
    self->outgoing_.pop_front();
    if (!self->outgoing_.empty()) self->write_next();
  });
}

void Session::read_more() {
  socket_.async_read_some(asio::buffer(buffer_), [self = shared_from_this()](auto error, std::size_t count) {
    if (self->finished_) return;
    if (error) return self->stream_ended();
    self->handle_bytes(count);
    if (!self->finished_) self->read_more();
  });
}

void Session::handle_bytes(std::size_t count) {
  heard_anything_ = true;
  reader_.append({buffer_.data(), count});
  while (!finished_) {
    std::string_view payload;
    switch (reader_.next(payload)) {
      case wire::FrameReader::State::kNeedMore: return;
      case wire::FrameReader::State::kEmpty:
        return finish(
            Crashed{{ErrorType::kSandboxError, "PROTOCOL_VIOLATION", "the guest sent an empty frame", "", {}}});
      case wire::FrameReader::State::kTooLarge:
        return hit_limit(ErrorType::kLimitError, "FRAME_TOO_LARGE",
                         "the guest announced a frame beyond the limit of " +
                             std::to_string(reader_.max_payload_bytes()) + " bytes");
      case wire::FrameReader::State::kFrame: break;
    }
    auto frame = parser_.parse(payload);
    if (!frame) {
      return finish(Crashed{{ErrorType::kSandboxError, "PROTOCOL_VIOLATION", frame.failure().message, "", {}}});
    }
    std::visit([this](auto&& part) { handle(std::forward<decltype(part)>(part)); }, std::move(*frame));
  }
}

void Session::handle(const LogFrame& log) {
  Metrics& metrics = outcome_.metrics;
  const std::size_t limit = request_.config.max_log_bytes;
  std::string text = neutralise(log.text);
  // With its line break: a line costs us memory even when nothing stands on it.
  const std::size_t bytes = text.size() + 1;
  if (metrics.log_bytes + bytes > limit) {
    flood_bytes_ += bytes;
    if (!metrics.logs_truncated) {
      metrics.logs_truncated = true;
      keep({LogLevel::kWarn, "[logs truncated at " + std::to_string(limit) + " bytes]"});
    }
    // An honest guest stops printing at its limit. One that goes on wants something else.
    if (flood_bytes_ > wire::kLogFloodBytes) {
      hit_limit(ErrorType::kLimitError, "LOG_LIMIT", "the guest went on printing beyond its limit");
    }
    return;
  }
  metrics.log_bytes += bytes;
  keep({log.level, std::move(text)});
}

void Session::keep(LogLine line) {
  if (request_.on_log) request_.on_log(line);
  outcome_.logs.push_back(std::move(line));
}

std::int64_t Session::guest_now() const {
  return *request_.now_ms + duration_cast<milliseconds>(Clock::now() - started_).count();
}

void Session::handle(const SleepCall& call) {
  // Ids only grow: one that comes again, or out of order, is not from our bridge.
  // An answer that the guest has not read is still in flight: it waits here, in our memory.
  if (call.id <= last_call_id_ || sleeps_.size() + outgoing_.size() >= wire::kMaxCallsInFlight) {
    return finish(
        Crashed{{ErrorType::kSandboxError, "PROTOCOL_VIOLATION", "the guest broke the rules for calls", "", {}}});
  }
  last_call_id_ = call.id;
  // The guest wakes exactly when it asked to: its clock then does not depend on how busy the host is.
  const double now = static_cast<double>(*request_.now_ms);
  const double longest = 1e10;
  const double wait = std::isfinite(call.until_ms) ? std::clamp(call.until_ms - now, 0.0, longest) : longest;
  const auto wake_ms = static_cast<std::int64_t>(now + wait);
  auto timer = std::make_unique<asio::steady_timer>(socket_.get_executor());
  timer->expires_at(started_ + milliseconds(static_cast<std::int64_t>(wait)));
  timer->async_wait([self = shared_from_this(), id = call.id, wake_ms](auto error) {
    if (!error && !self->finished_) self->reply_to_sleep(id, wake_ms);
  });
  sleeps_[call.id] = std::move(timer);
}

void Session::reply_to_sleep(long long id, std::int64_t now_ms) {
  sleeps_.erase(id);
  send(std::make_shared<std::string>(wire::make_frame(R"({"frame":"reply","id":)" + std::to_string(id) +
                                                      R"(,"ok":true,"value":null,"now":)" + std::to_string(now_ms) +
                                                      "}")));
}

void Session::handle(DoneFrame done) {
  if (done.result_json.size() > request_.config.max_output_bytes) {
    return hit_limit(ErrorType::kLimitError, "RESULT_TOO_LARGE",
                     "the result exceeds " + std::to_string(request_.config.max_output_bytes) + " bytes");
  }
  outcome_.metrics.result_bytes = done.result_json.size();
  finish(Finished{std::move(done.result_json)});
}

void Session::handle(FailFrame fail) {
  fail.error.message = neutralise(fail.error.message);
  fail.error.stack = neutralise(fail.error.stack);
  if (fail.error.code == "MEMORY_LIMIT") {
    return hit_limit(ErrorType::kMemoryError, "MEMORY_LIMIT",
                     "the code needs more memory than its limit of " + megabytes(request_.config.memory_bytes));
  }
  finish(ending_of(std::move(fail.error)));
}

void Session::arm_watchdog() {
  const auto wall_left = started_ + request_.config.timeout - Clock::now();
  watchdog_.expires_after(std::clamp<Clock::duration>(wall_left, Clock::duration::zero(), kWatchInterval));
  watchdog_.async_wait([self = shared_from_this()](auto error) {
    if (!error && !self->finished_) self->check_limits();
  });
}

void Session::check_limits() {
  const SandboxConfig& config = request_.config;
  if (Clock::now() - started_ >= config.timeout) {
    std::string message = "the code ran longer than its limit of " + std::to_string(config.timeout.count()) + " ms";
    if (sleeps_.empty() && guest_.is_waiting()) {
      message += "; it was waiting for a promise that nothing could settle";
    }
    return hit_limit(ErrorType::kTimeoutError, "EXECUTION_TIMEOUT", std::move(message));
  }
  const auto cpu = guest_.cpu_time() - cpu_at_start_;
  if (cpu >= kCpuAtFullPriority && !yielding_) {
    yielding_ = true;
    guest_.yield_to_others();
  }
  if (config.cpu && cpu >= *config.cpu) {
    return hit_limit(ErrorType::kTimeoutError, "CPU_LIMIT",
                     "the code used more CPU time than its limit of " + std::to_string(config.cpu->count()) + " ms");
  }
  peak_memory_ = std::max(peak_memory_, guest_.memory_added());
  // RLIMIT_DATA bounds what the guest maps; this catches what native code writes into memory that was mapped before.
  if (peak_memory_ > config.memory_bytes + 2 * wire::kMemorySlackBytes) {
    return hit_limit(ErrorType::kMemoryError, "MEMORY_LIMIT",
                     "the code needs more memory than its limit of " + megabytes(config.memory_bytes));
  }
  arm_watchdog();
}

void Session::cancel() {
  finish(Crashed{{ErrorType::kSandboxError, "CANCELLED", "the run was cancelled", "", {}}});
}

void Session::zygote_died() {
  finish(Crashed{{ErrorType::kSandboxError, "ZYGOTE_DIED", "the zygote ended, and its guests with it", "", {}}});
}

void Session::guest_exited(int wait_status) {
  wait_status_ = wait_status;
  if (stream_ended_) conclude_from_exit();
}

void Session::stream_ended() {
  stream_ended_ = true;
  guest_.kill();
  if (wait_status_) conclude_from_exit();
}

// The guest is gone and did not say why.
void Session::conclude_from_exit() {
  if (finished_) return;
  const int status = *wait_status_;
  RunError error{ErrorType::kSandboxError, "GUEST_CRASHED", "", "", {}};
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS) {
    error.code = "FORBIDDEN_SYSTEM_CALL";
    error.message = "the guest made a system call that is not allowed, and was killed";
  } else if (WIFSIGNALED(status) && peak_memory_ > request_.config.memory_bytes - request_.config.memory_bytes / 8) {
    // Libraries beneath the engine fall over when they get no memory.
    return hit_limit(ErrorType::kMemoryError, "MEMORY_LIMIT",
                     "the code needs more memory than its limit of " + megabytes(request_.config.memory_bytes));
  } else if (WIFSIGNALED(status)) {
    error.message = std::string("the guest process crashed: ") + ::strsignal(WTERMSIG(status));
  } else if (const char* step = heard_anything_ ? nullptr : jail::seal_step_of_exit(WEXITSTATUS(status))) {
    error.code = "SEAL_FAILED";
    error.message = std::string("the guest could not be sealed; the failed step is ") + step;
  } else {
    error.message = "the guest process ended without an answer";
  }
  finish(Crashed{std::move(error)});
}

void Session::hit_limit(ErrorType type, const char* code, std::string message) {
  finish(LimitHit{{type, code, std::move(message), "", {}}});
}

void Session::finish(Ending ending) {
  if (finished_) return;
  finished_ = true;
  const auto now = Clock::now();
  Metrics& metrics = outcome_.metrics;
  metrics.execution_ms = as_ms(now - started_);
  const auto cpu = guest_.cpu_time();
  metrics.cpu_ms = cpu > cpu_at_start_ ? static_cast<double>((cpu - cpu_at_start_).count()) / 1000.0 : metrics.cpu_ms;
  peak_memory_ = std::max(peak_memory_, guest_.memory_added());
  metrics.memory_used_mb = static_cast<double>(peak_memory_) / (1 << 20);
  guest_.kill();
  watchdog_.cancel();
  sleeps_.clear();
  boost::system::error_code ignored;
  socket_.close(ignored);
  outcome_.ending = std::move(ending);
  done_(std::move(outcome_));
}

}  // namespace glovebox::broker
