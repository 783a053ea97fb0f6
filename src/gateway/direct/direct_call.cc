#include "gateway/direct/direct_call.h"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <boost/json.hpp>

#include "base/characters/ascii.h"
#include "base/text/log_text.h"
#include "calls/limit_error.h"
#include "calls/tools/tool_calls.h"
#include "gateway/direct/guest_json.h"
#include "gateway/direct/one_call.h"
#include "replay/call_digest.h"
#include "replay/replay.h"
#include "wire/data_frame.h"
#include "wire/frame.h"
#include "wire/limits.h"

namespace glovebox::gateway {
namespace {

namespace asio = boost::asio;
namespace json = boost::json;
using Clock = std::chrono::steady_clock;

constexpr std::uint64_t kOnlyCall = 1;  // the id that a guest gives its first call
constexpr std::chrono::milliseconds kWatchInterval{500};

// A guest caps longer times, so that no clock overflows.
constexpr std::chrono::hours kLongestTime{24 * 365 * 100};

// A server may have written its result with spaces, and the limit applies to the compact form.
constexpr std::size_t kMostSpacing = 2;

// Whether a Sandbox would accept them unchanged.
bool are_usual(const SandboxConfig& limits) {
  const auto is_usual = [](std::chrono::milliseconds time) { return time.count() > 0 && time <= kLongestTime; };
  return is_usual(limits.timeout) && is_usual(limits.most_time()) && is_usual(limits.rpc_timeout) &&
         limits.max_output_bytes <= wire::kMaxFrameBytes - wire::kFrameOverheadBytes;
}

// What a guest would refuse is left to it, with its error.
bool may_be_direct(const RunRequest& request) {
  return !request.rehearsal && !request.before_first_call && request.language == Language::kJavaScript &&
         request.context_json.size() <= wire::kMaxCallArgumentBytes && are_usual(request.config);
}

// Whether a guest would send it as we do: it sorts integer keys to the front, and writes all numbers as doubles, in its
// own way.
bool is_alike_in_guests(const json::value& value) {
  constexpr std::int64_t kMostExact = std::int64_t{1} << 53;
  if (const json::object* object = value.if_object()) {
    return std::all_of(object->begin(), object->end(), [](const json::key_value_pair& member) {
      return !base::is_number({member.key().data(), member.key().size()}) && is_alike_in_guests(member.value());
    });
  }
  if (const json::array* list = value.if_array()) return std::all_of(list->begin(), list->end(), is_alike_in_guests);
  if (const std::int64_t* number = value.if_int64()) return *number >= -kMostExact && *number <= kMostExact;
  return !value.is_double() && !value.is_uint64();
}

calls::Call call_of(const DirectCall& call, simdjson::dom::parser& parser) {
  calls::Call made;
  made.id = kOnlyCall;
  made.op = "tool";
  made.arguments_json = call.arguments_json;
  simdjson::dom::object arguments;
  if (parser.parse(call.arguments_json).get_object().get(arguments) == simdjson::SUCCESS)
    made.arguments = calls::CallArguments(arguments);
  return made;
}

// How code ends that does not catch the error.
Ending ending_of(const calls::CallError& error, const std::string& tool_name) {
  const std::string thrown = error.name == "LimitError" ? "MCPToolError" : error.name;  // the class that code sees
  RunError reported{ErrorType::kToolError,
                    FailureCode::read(error.code).value_or(FailureCode("TOOL_ERROR")),
                    base::neutralise(thrown + ": " + error.message),
                    "",
                    {},
                    tool_name};
  if (error.name == "LimitError") {
    reported.type = ErrorType::kLimitError;
    return LimitHit{std::move(reported)};
  }
  if (error.name != "ApprovalDenied" && error.name != "PermissionDenied") return Failed{std::move(reported)};
  reported.type = ErrorType::kPermissionError;
  reported.code = error.name == "ApprovalDenied" ? FailureCode("APPROVAL_DENIED") : FailureCode("PERMISSION_DENIED");
  return Denied{std::move(reported)};
}

Ending unreadable_result(const std::string& tool_name) {
  return ending_of({"MCPToolError", "PROTOCOL_ERROR", "the tool's result is not JSON that can be stored"}, tool_name);
}

Crashed crashed(FailureCode code, std::string message) {
  return {{ErrorType::kSandboxError, code, std::move(message), "", {}}};
}

LimitHit too_large(const std::string& tool_name, const std::string& what) {
  return {{ErrorType::kLimitError,
           "RESULT_TOO_LARGE",
           "the result of " + tool_name + " " + what + "; a code task can return less of it",
           "",
           {}}};
}

LimitHit too_many_bytes(const std::string& tool_name, std::size_t most) {
  return too_large(tool_name, "exceeds " + std::to_string(most) + " bytes (sandbox.maxOutputBytes)");
}

// Bound on data frames that carry a result within the limit.
std::size_t most_heard(std::size_t most_written) {
  const std::size_t most = most_written * kMostSpacing;
  return most + (most / wire::kMaxDataBytes + 1) * (wire::kPrefixBytes + wire::kDataHeaderBytes);
}

}  // namespace

std::optional<DirectCall> DirectCall::in(const RunRequest& request) {
  if (!may_be_direct(request)) return std::nullopt;
  const auto program = one_call_in(request.code);
  boost::system::error_code error;
  json::value context = program ? json::parse(request.context_json, error) : json::value();
  json::value* const arguments =
      !error && context.is_object() ? context.get_object().if_contains("arguments") : nullptr;
  if (!arguments || !arguments->is_object() || !request.code.ends_with("(context.arguments)")) return std::nullopt;
  if (!is_alike_in_guests(*arguments)) return std::nullopt;
  json::object written{{"server", program->server}, {"tool", program->tool}};
  written.emplace("arguments", std::move(*arguments));
  DirectCall call{program->server + "." + program->tool, ""};
  write_tree_as_guest(json::value(std::move(written)), call.arguments_json);
  if (call.arguments_json.size() > wire::kMaxCallArgumentBytes) return std::nullopt;
  if (request.history.empty()) return call;
  simdjson::dom::parser parser;
  if (request.history.front().digest != replay::CallDigests().of(call_of(call, parser))) return std::nullopt;
  return call;
}

DirectRun::DirectRun(std::shared_ptr<asio::io_context> io, RunRequest request, DirectCall call, Done done)
    : io_(std::move(io)),
      request_(std::move(request)),
      call_(std::move(call)),
      done_(std::move(done)),
      watchdog_(*io_) {
  outcome_.metrics.seed = request_.seed.value_or("");
  outcome_.metrics.now_ms = request_.now_ms.value_or(0);
  outcome_.metrics.used_clock = outcome_.metrics.used_random = false;
}

broker::CallDesk::Links DirectRun::links() {
  const auto self = weak_from_this();
  const auto with_run = [self](auto work) {
    return [self, work](auto... arguments) {
      if (const auto run = self.lock(); run && !run->finished_) work(*run, std::move(arguments)...);
    };
  };
  broker::CallDesk::Links links;
  links.send = with_run([](DirectRun& run, const calls::OutgoingBytes& bytes) { run.hear(bytes); });
  links.unsent_bytes = [] { return std::size_t{0}; };
  links.now_ms = [clock = clock_] { return clock->shown_ms(); };
  links.blocked = with_run([](DirectRun& run, const std::string& message) {
    run.outcome_.logs.push_back({LogLevel::kWarn, "blocked: " + base::neutralise(message)});
    run.outcome_.metrics.log_bytes += run.outcome_.logs.back().text.size() + 1;
    if (run.request_.on_log) run.request_.on_log(run.outcome_.logs.back());
  });
  links.pause_reading = [](bool) {};
  links.violation = with_run([](DirectRun& run, std::string why) {
    run.finish(crashed("PROTOCOL_VIOLATION", "the call cannot be made: " + std::move(why)));
  });
  links.diverged = with_run([](DirectRun& run, const std::string& how) {
    run.finish(crashed("REPLAY_DIVERGED",
                       "the resumed run did not repeat what it had done before: " + how + ". Nothing was done"));
  });
  if (request_.on_journal)
    links.journal = with_run([](DirectRun& run, JournalEntry entry) { run.request_.on_journal(std::move(entry)); });
  if (!request_.before_call) return links;
  links.may_go_on = [self, io = io_](bool acts, std::function<void()> go) {
    const auto run = self.lock();
    if (!run) return true;
    run->clock_->stop();
    run->request_.before_call(acts, [self, io, go = std::move(go)] {
      asio::post(*io, [self, go] {
        const auto alive = self.lock();
        if (!alive || alive->finished_) return;
        alive->clock_->go();
        go();
      });
    });
    return false;
  };
  return links;
}

void DirectRun::start() {
  started_ = Clock::now();
  auto history = replay::Replay::of(std::exchange(request_.history, {}));
  const std::int64_t shown_ms = std::max(outcome_.metrics.now_ms, history ? history->last_now_ms() : 0);
  clock_ = std::make_shared<calls::RunClock>(
      shown_ms, calls::RunClock::Limits{request_.config.timeout, request_.config.most_time()}, started_);
  desk_ = std::make_shared<broker::CallDesk>(links());
  const calls::ToolLimits rules{request_.config.rpc_timeout, request_.config.max_tool_calls};
  desk_->add("tool", std::make_unique<calls::ToolCalls>(io_, request_.tools, rules, clock_));
  if (!history) return finish(crashed("INVALID_REQUEST", history.failure().message));
  desk_->replay(std::move(*history));
  watch();
  simdjson::dom::parser parser;
  desk_->open(call_of(call_, parser));
}

// Receives data frames and then the reply, like a guest. A result that is too large is received to its end all the
// same, since the journal holds all of it.
void DirectRun::hear(const calls::OutgoingBytes& bytes) {
  const std::size_t most = request_.config.max_output_bytes;
  too_large_ = too_large_ || (bytes.more_follows && heard_.size() + bytes.bytes.size() > most_heard(most));
  if (too_large_) {
    heard_ = {};
  } else {
    heard_ += bytes.bytes;
  }
  if (bytes.sent) bytes.sent();
  if (bytes.more_follows) return;
  finish(too_large_ ? too_many_bytes(call_.tool_name, most) : ending_of_reply(std::exchange(heard_, {})));
}

Ending DirectRun::ending_of_reply(std::string frames) {
  const JournalEntry entry{JournalEntry::Kind::kReply, kOnlyCall, "", "", std::move(frames)};
  std::string body;
  const auto reply = replay::read_reply(entry, &body);
  if (!reply) return unreadable_result(call_.tool_name);
  if (!reply->ok) return ending_of(reply->error, call_.tool_name);
  return ending_of_result(reply->body_bytes > 0 ? std::string_view(body) : reply->value_json);
}

// A server's JSON is rewritten, so that every reader of outcomes can parse it.
Ending DirectRun::ending_of_result(std::string_view json) {
  std::string result;
  switch (write_as_guest(json, result)) {
    case GuestReading::kUnreadable: return unreadable_result(call_.tool_name);
    case GuestReading::kTooDeep:
      return too_large(call_.tool_name, "is nested deeper than " + std::to_string(wire::kMaxValueDepth) + " levels");
    case GuestReading::kWritten: break;
  }
  const std::size_t most = request_.config.max_output_bytes;
  if (result.size() > most) return too_many_bytes(call_.tool_name, most);
  outcome_.metrics.result_bytes = result.size();
  return Finished{std::move(result)};
}

// Tools have their own timeouts; this watches the run's.
void DirectRun::watch() {
  const auto left = std::min(clock_->own_work_left(), clock_->total_left());
  if (left <= Clock::duration::zero()) return finish(LimitHit{calls::total_time_error(request_.config)});
  watchdog_.expires_after(std::min<Clock::duration>(left, kWatchInterval));
  watchdog_.async_wait([self = shared_from_this()](auto error) {
    if (!error && !self->finished_) self->watch();
  });
}

void DirectRun::cancel() {
  finish(crashed("CANCELLED", "the run was cancelled"));
}

void DirectRun::finish(Ending ending) {
  if (std::exchange(finished_, true)) return;
  watchdog_.cancel();
  outcome_.ending = std::move(ending);
  outcome_.metrics.execution_ms = std::chrono::duration<double, std::milli>(Clock::now() - started_).count();
  // The caller may still be inside the CallDesk.
  asio::post(*io_, [self = shared_from_this()] {
    self->desk_->end([self] {
      broker::CallTrace trace = self->desk_->take_trace();
      Metrics& metrics = self->outcome_.metrics;
      metrics.calls = trace.calls();
      metrics.calls_denied = trace.denied();
      metrics.tool_calls = trace.tool_calls();
      metrics.tool_result_bytes = trace.tool_result_bytes();
      self->outcome_.trace = trace.take();
      if (auto* limit = std::get_if<LimitHit>(&self->outcome_.ending))
        limit->error.message += calls::calls_before(self->outcome_.trace, metrics.tool_calls);
      self->done_(std::move(self->outcome_));
    });
  });
}

}  // namespace glovebox::gateway
