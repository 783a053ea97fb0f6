#include "broker/session.h"

#include <linux/sockios.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/write.hpp>
#include <cstring>

#include "base/cores/slice.h"
#include "base/text/log_text.h"
#include "base/try.h"
#include "broker/run_frame.h"
#include "broker/run_handlers.h"
#include "calls/limit_error.h"
#include "jail/confinement/guest_confinement.h"
#include "jail/zygote_protocol.h"
#include "wire/limits.h"

namespace glovebox::broker {
namespace {

namespace asio = boost::asio;
using std::chrono::duration;
using std::chrono::milliseconds;

// How often a run is polled for the limits that no kernel timer watches.
constexpr milliseconds kWatchInterval{5};

// Native code writes up to 2 MB per millisecond into memory that is mapped already. The less is left of its limit, the
// sooner it is polled again, so that it does not get far beyond.
constexpr milliseconds kShortestWatchInterval{1};
constexpr std::size_t kMostBytesPerMs = 4 * wire::kMiB;

milliseconds watch_interval(std::size_t memory_left) {
  return std::clamp(milliseconds(memory_left / kMostBytesPerMs), kShortestWatchInterval, kWatchInterval);
}

// A run that computes for longer gets a lower priority than short runs, the zygote and the rest of the machine.
constexpr milliseconds kCpuAtFullPriority{100};

// Calls under way when a run ends are abandoned; the outcome waits this long for them to stop.
constexpr std::chrono::seconds kPatienceWithCalls{2};
// The same if file changes are to be kept: unless all of them are written, the run has failed.
constexpr std::chrono::seconds kPatienceWithChanges{30};

// Small answers are sent together.
constexpr std::size_t kFramesPerWrite = 16;

Crashed crash(FailureCode code, std::string message) {
  return {{ErrorType::kSandboxError, code, std::move(message), "", {}}};
}

double as_ms(Session::Clock::duration span) {
  return duration<double, std::milli>(span).count();
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

Session::Session(std::shared_ptr<asio::io_context> io, RunRequest request, calls::GrantSet grants,
                 Clock::time_point submitted, jail::GuestProcess guest, std::shared_ptr<calls::HttpLoader> http,
                 std::shared_ptr<base::ByteShares> call_bytes, std::shared_ptr<SharedCore> core,
                 std::optional<std::vector<std::string>> plan, Done done)
    : io_(std::move(io)),
      request_(std::move(request)),
      grants_(std::move(grants)),
      submitted_(submitted),
      guest_(std::move(guest)),
      http_(std::move(http)),
      call_bytes_(std::move(call_bytes)),
      core_(std::move(core)),
      plan_(std::move(plan)),
      done_(std::move(done)),
      socket_(*io_, asio::local::stream_protocol(), guest_.take_socket().release()),
      watchdog_(*io_, Clock::time_point::max()),
      reader_(std::max(request_.config.max_output_bytes + wire::kFrameOverheadBytes, kMaxSmallPayloadBytes)) {
  outcome_.metrics.seed = *request_.seed;
  outcome_.metrics.now_ms = *request_.now_ms;
  outcome_.metrics.pooled = guest_.warm();
  outcome_.metrics.rewound = guest_.is_limited();
  boost::system::error_code ignored;
  socket_.non_blocking(true, ignored);
}

void Session::start() {
  core_->run_began();
  if (const auto limited = guest_.limit_memory(request_.config.memory_bytes); !limited) {
    started_ = Clock::now();
    // A guest that is gone already could not be sealed. Its exit status says why, and the zygote is about to report it.
    if (limited.failure().code == ErrorCode::kSandboxUnavailable) {
      arm_watchdog(started_, kWatchInterval);
      return stream_ended();
    }
    return finish(crash("GUEST_CRASHED", limited.failure().message));
  }
  if (!outcome_.metrics.rewound) base::set_slice(guest_.pid(), base::Slice::kUsual);
  started_ = Clock::now();
  cpu_at_start_ = guest_.cpu_time();
  outcome_.metrics.startup_ms = as_ms(started_ - submitted_);
  auto history = replay::Replay::of(std::exchange(request_.history, {}));
  if (!history) return finish(crash("INVALID_REQUEST", history.failure().message));
  // Replies of the history carry their own times; the clock continues from the last of them.
  const std::int64_t shown_ms = std::max(*request_.now_ms, history->last_now_ms());
  const calls::RunClock::Limits limits{request_.config.timeout, request_.config.most_time()};
  clock_ = std::make_shared<calls::RunClock>(shown_ms, limits, started_);
  set_up_calls(std::move(*history));
  const auto head = std::make_shared<const std::string>(run_frame_head(request_, plan_));
  const auto context = std::make_shared<const std::string>(std::move(request_.context_json));
  send({head, *head, {}, true});
  send({context, *context, {}, true});
  send({nullptr, kRunFrameEnd, {}, false});
  read_more();
  arm_watchdog(started_, watch_interval(request_.config.memory_bytes));
}

void Session::set_up_calls(replay::Replay history) {
  const auto self = weak_from_this();
  const auto with_session = [self](auto work) {
    return [self, work](auto... arguments) {
      if (const auto session = self.lock(); session && !session->finished_) work(*session, std::move(arguments)...);
    };
  };
  CallDesk::Links links;
  links.send = with_session([](Session& session, calls::OutgoingBytes bytes) { session.send(std::move(bytes)); });
  links.unsent_bytes = [self] {
    const auto session = self.lock();
    return session ? session->outgoing_bytes_ : 0;
  };
  links.hold = [all = call_bytes_, client = request_.client](std::size_t bytes) { return all->hold(client, bytes); };
  links.now_ms = [clock = clock_] { return clock->shown_ms(); };
  links.blocked = with_session([](Session& session, std::string message) {
    session.handle(LogFrame{LogLevel::kWarn, "blocked: " + message});
  });
  links.pause_reading = with_session([](Session& session, bool pause) { session.pause_reading(pause); });
  links.violation = with_session([](Session& session, std::string why) { session.protocol_violation(std::move(why)); });
  links.diverged = with_session([](Session& session, const std::string& how) { session.replay_diverged(how); });
  link_journal(links);
  desk_ = std::make_shared<CallDesk>(std::move(links));
  desk_->replay(std::move(history));
  if (request_.rehearsal) desk_->rehearse(replay::RehearsalBook(request_.rehearsal, *request_.now_ms));
  disk_ = std::make_shared<calls::RunDisk>(request_.config, grants_.run);
  artifacts_ = std::make_shared<calls::ArtifactShelf>(request_.config);
  add_handlers(*desk_, {io_, request_, grants_, clock_, disk_, http_, artifacts_});
}

void Session::send(calls::OutgoingBytes frame) {
  const bool wait = frame.more_follows;
  outgoing_bytes_ += frame.bytes.size();
  outgoing_.push_back(std::move(frame));
  if (writing_ == 0 && !wait) write_next(true);
}

// What fits into the socket can be written at once, which saves a turn of the loop. Once for each frame: the loop must
// not stay here while a guest reads as fast as we write.
void Session::write_next(bool at_once) {
  std::array<asio::const_buffer, kFramesPerWrite> buffers;
  writing_ = std::min(outgoing_.size(), buffers.size());
  for (std::size_t i = 0; i < writing_; ++i) buffers[i] = asio::buffer(outgoing_[i].bytes);
  if (at_once && socket_.non_blocking()) {
    boost::system::error_code ignored;  // it fails again below
    std::size_t written = socket_.write_some(buffers, ignored);
    if (written == asio::buffer_size(buffers)) return wrote();
    for (asio::const_buffer& buffer : buffers) {
      const std::size_t part = std::min(written, buffer.size());
      buffer += part;
      written -= part;
    }
  }
  asio::async_write(socket_, buffers, [self = shared_from_this()](auto error, std::size_t) {
    if (!self->finished_ && !error) self->wrote();  // the reading side reports an error
  });
}

void Session::wrote() {
  for (; writing_ > 0; --writing_) {
    const auto sent = std::move(outgoing_.front().sent);
    outgoing_bytes_ -= outgoing_.front().bytes.size();
    outgoing_.pop_front();
    if (sent) sent();
  }
  if (!outgoing_.empty()) write_next(false);
}

void Session::read_more() {
  socket_.async_read_some(asio::buffer(buffer_), [self = shared_from_this()](auto error, std::size_t count) {
    if (self->finished_) return;
    if (error) return self->stream_ended();
    ++self->heard_;
    self->reader_.append({self->buffer_.data(), count});
    self->handle_frames();
  });
}

void Session::pause_reading(bool pause) {
  reading_paused_ = pause;
  if (!pause && !handling_) handle_frames();
}

// Handles all frames received, then reads more, unless one of them is still being handled.
void Session::handle_frames() {
  handling_ = true;
  while (!finished_ && !reading_paused_) {
    std::string_view payload;
    const auto state = reader_.next(payload);
    if (state == wire::FrameReader::State::kNeedMore) {
      handling_ = false;
      return read_more();
    }
    if (state == wire::FrameReader::State::kEmpty) {
      protocol_violation("an empty frame");
    } else if (state == wire::FrameReader::State::kTooLarge) {
      hit_limit(
          ErrorType::kLimitError, "FRAME_TOO_LARGE",
          "the guest announced a frame beyond the limit of " + std::to_string(reader_.max_payload_bytes()) + " bytes");
    } else if (auto frame = parser_.parse(payload); !frame) {
      finish(crash("PROTOCOL_VIOLATION", frame.failure().message));
    } else if (desk_->awaits_data() && !std::holds_alternative<wire::DataPiece>(*frame)) {
      protocol_violation("a frame inside the bytes of a call");
    } else {
      std::visit([this](auto&& part) { handle(std::forward<decltype(part)>(part)); }, std::move(*frame));
    }
  }
  handling_ = false;
}

void Session::protocol_violation(std::string why) {
  finish(crash("PROTOCOL_VIOLATION", "the guest broke the protocol: " + std::move(why)));
}

void Session::replay_diverged(const std::string& how) {
  finish(crash("REPLAY_DIVERGED",
               "the resumed run did not repeat what it had done before: " + how + ". Nothing was done"));
}

void Session::handle(const LogFrame& log) {
  Metrics& metrics = outcome_.metrics;
  std::string text = base::neutralise(log.text);
  if (!log_budget_.take(text.size())) {
    if (!std::exchange(metrics.logs_truncated, true))
      keep({LogLevel::kWarn, "[logs truncated at " + log_budget_.limit() + "]"});
    // An honest guest stops printing at its limit; one that continues is ended.
    if (log_budget_.refused_bytes() > wire::kLogFloodBytes)
      hit_limit(ErrorType::kLimitError, "LOG_LIMIT", "the guest kept printing beyond its limit (sandbox.maxLogBytes)");
    return;
  }
  metrics.log_bytes += text.size() + 1;
  keep({log.level, std::move(text)});
}

void Session::keep(LogLine line) {
  if (request_.on_log) request_.on_log(line);
  outcome_.logs.push_back(std::move(line));
}

void Session::handle(const DoneFrame& done) {
  if (desk_->is_replaying()) return replay_diverged("it ended too early");
  if (done.result_json.size() > request_.config.max_output_bytes) {
    return hit_limit(ErrorType::kLimitError, "RESULT_TOO_LARGE",
                     "the result exceeds " + std::to_string(request_.config.max_output_bytes) + " bytes");
  }
  outcome_.metrics.result_bytes = done.result_json.size();
  outcome_.metrics.used_clock = done.used_clock;
  outcome_.metrics.used_random = done.used_random;
  finish(Finished{reader_.take(done.result_json)});
}

void Session::handle(FailFrame fail) {
  fail.error.message = base::neutralise(fail.error.message);
  fail.error.stack = base::neutralise(fail.error.stack);
  fail.error.tool_name = base::neutralise(fail.error.tool_name);
  if (fail.error.code == "MEMORY_LIMIT") {
    return finish(LimitHit{calls::memory_error(request_)});
  }
  if (desk_->is_replaying()) return replay_diverged("it failed with " + fail.error.message);
  finish(ending_of(std::move(fail.error)));
}

// `polled` is a time before anything was measured: a gateway that is descheduled in between still polls in time.
void Session::arm_watchdog(Clock::time_point polled, Clock::duration interval) {
  const auto left = clock_ ? std::min(clock_->own_work_left(), clock_->total_left()) : request_.config.timeout;
  watchdog_.expires_at(polled + std::clamp<Clock::duration>(left, Clock::duration::zero(), interval));
  watchdog_.async_wait([self = shared_from_this()](auto error) {
    if (!error && !self->finished_) self->check_limits();
  });
}

void Session::check_limits() {
  const auto now = Clock::now();
  const SandboxConfig& config = request_.config;
  core_->polled(guest_);
  // Read before the wall clock: code that computes up to its time limit has not used more CPU time than that.
  const auto cpu = guest_.cpu_time() - cpu_at_start_;
  const bool has_no_clock = !clock_;  // its memory could not be limited; the zygote is about to report it gone
  if (has_no_clock ? now - started_ >= config.timeout : clock_->own_work_left().count() <= 0) {
    RunError error = calls::own_time_error(config);
    if (desk_ && desk_->is_idle() && guest_is_idle())
      error.message += "; it was waiting for a promise that nothing could settle";
    return finish(LimitHit{std::move(error)});
  }
  if (clock_ && clock_->total_left().count() <= 0) return finish(LimitHit{calls::total_time_error(config)});
  if (cpu >= kCpuAtFullPriority && !std::exchange(yielding_, true)) guest_.yield_to_others();
  // One thread cannot use more CPU time than wall time passes, except while the run's clock is stopped: CPU time counts
  // during tool calls and approvals, too.
  if (cpu >= config.cpu.value_or(config.timeout)) return finish(LimitHit{calls::cpu_error(request_)});
  const std::size_t memory = guest_.memory_added(cpu);
  const std::size_t most_memory = config.memory_bytes + 2 * wire::kMemorySlackBytes;
  peak_memory_ = std::max(peak_memory_, memory);
  // RLIMIT_DATA bounds what the guest maps; this catches what native code writes into memory that was mapped earlier.
  if (memory > most_memory) return finish(LimitHit{calls::memory_error(request_)});
  // What was read already may wait for its handler, which comes before what is posted now.
  if (request_.rehearsal && guest_is_idle()) {
    asio::post(*io_, [self = shared_from_this(), heard = heard_] {
      if (self->heard_ == heard && self->guest_is_idle()) self->desk_->answer_idle_guest();
    });
  }
  if (!finished_) arm_watchdog(now, watch_interval(most_memory - memory));
}

// The guest has read everything that it was sent and waits for more, and we have read everything that it sent.
bool Session::guest_is_idle() {
  int unread = 0, unheard = 0;
  const int fd = socket_.native_handle();
  return outgoing_.empty() && !reading_paused_ && ::ioctl(fd, SIOCOUTQ, &unread) == 0 && unread == 0 &&
         guest_.is_waiting() && ::ioctl(fd, FIONREAD, &unheard) == 0 && unheard == 0;
}

void Session::cancel() {
  finish(crash("CANCELLED", "the run was cancelled"));
}

void Session::zygote_died() {
  finish(crash("ZYGOTE_DIED", "the zygote ended, and its guests with it"));
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

// The guest is gone without a final frame: its exit status must tell why.
void Session::conclude_from_exit() {
  if (finished_) return;
  const int status = *wait_status_;
  RunError error{ErrorType::kSandboxError, "GUEST_CRASHED", "", "", {}};
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS) {
    error.code = "FORBIDDEN_SYSTEM_CALL";
    error.message = "the guest made a system call that is not allowed, and was killed";
  } else if (WIFSIGNALED(status) && peak_memory_ > request_.config.memory_bytes - request_.config.memory_bytes / 8) {
    // Libraries beneath the engine crash when they get no memory.
    return finish(LimitHit{calls::memory_error(request_)});
  } else if (WIFSIGNALED(status)) {
    error.message = std::string("the guest process crashed: ") + ::strsignal(WTERMSIG(status));
  } else if (const char* step = heard_ > 0 ? nullptr : jail::seal_step_of_exit(WEXITSTATUS(status))) {
    error.code = "SEAL_FAILED";
    error.message = std::string("the guest could not be sealed; the failed step is ") + step;
  } else {
    error.message = "the guest process ended without a result";
  }
  finish(Crashed{std::move(error)});
}

void Session::hit_limit(ErrorType type, FailureCode code, std::string message) {
  finish(LimitHit{{type, code, std::move(message), "", {}}});
}

bool Session::may_spare_guest(const Ending& ending) const {
  return spare_ && std::holds_alternative<Finished>(ending) && !yielding_ && !stream_ended_ && !wait_status_ &&
         outgoing_.empty() && writing_ == 0 && !reader_.holds_partial_frame() && desk_->is_idle();
}

void Session::finish(Ending ending) {
  if (finished_) return;
  finished_ = true;
  core_->run_ended();
  Metrics& metrics = outcome_.metrics;
  const auto cpu = std::max(guest_.cpu_time() - cpu_at_start_, std::chrono::microseconds::zero());
  metrics.cpu_ms = static_cast<double>(cpu.count()) / 1000.0;
  const std::size_t memory = guest_.memory_added(cpu);
  peak_memory_ = std::max(peak_memory_, memory);
  metrics.memory_used_mb = static_cast<double>(peak_memory_) / (1 << 20);
  // After the guest was measured: whatever it did beyond its limits, it did before this moment.
  const auto now = Clock::now();
  metrics.execution_ms = as_ms(now - started_);
  metrics.poll_late_ms = as_ms(std::max(now - watchdog_.expiry(), Clock::duration::zero()));
  boost::system::error_code ignored;
  if (may_spare_guest(ending)) {
    guest_.give_back(base::UniqueFd(socket_.release(ignored)), memory);
    spare_(std::move(guest_));
  } else {
    if (!wait_status_) base::set_slice(guest_.pid(), base::Slice::kLong);  // nothing waits for its end
    guest_.kill();
    socket_.close(ignored);
  }
  outcome_.ending = std::move(ending);
  if (!desk_) {
    if (request_.tools) request_.tools->end();
    return deliver();
  }
  const bool keeps_changes = outcome_.ok() && disk_->is_private();
  if (keeps_changes) disk_->keep_changes();
  // A hung disk must not hold back the outcome.
  watchdog_.expires_after(keeps_changes ? kPatienceWithChanges : kPatienceWithCalls);
  watchdog_.async_wait([self = shared_from_this(), keeps_changes](auto error) {
    if (error) return;
    if (keeps_changes)
      self->outcome_.ending =
          crash("DISK_TIMEOUT", "the disk did not accept the run's changes in time; none were kept");
    self->deliver();
  });
  desk_->end([self = shared_from_this()] {
    self->disk_is_closed_ = true;
    self->deliver();
  });
}

void Session::deliver() {
  if (std::exchange(delivered_, true)) return;
  watchdog_.cancel();
  outgoing_.clear();
  if (desk_) {
    CallTrace trace = desk_->take_trace();
    outcome_.metrics.calls = trace.calls();
    outcome_.metrics.calls_denied = trace.denied();
    outcome_.metrics.tool_calls = trace.tool_calls();
    outcome_.metrics.tool_result_bytes = trace.tool_result_bytes();
    outcome_.trace = trace.take();
    outcome_.artifacts = artifacts_->take();
    if (auto* limit = std::get_if<LimitHit>(&outcome_.ending)) {
      limit->error.message += calls::calls_before(outcome_.trace, outcome_.metrics.tool_calls);
    }
    if (disk_is_closed_) outcome_.changes = disk_->take_changes();
  }
  done_(std::move(outcome_));
}

}  // namespace glovebox::broker
