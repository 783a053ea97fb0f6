#include "gateway/runs/run_spans.h"

#include <algorithm>

#include "base/text/utf8.h"
#include "gateway/privacy/redaction.h"
#include "observe/semantic_names.h"
#include "observe/trace_json.h"

namespace glovebox::gateway {
namespace {

namespace names = observe::names;
using observe::Span;

constexpr std::string_view kCall = "tools/call";
constexpr std::string_view kApproval = "approval";
constexpr const char* kUnknown = "unknown";

// Of names that code has made up, and of arguments and results in a span: traces are small.
constexpr std::size_t kMostNameBytes = 128;
constexpr std::size_t kMostValueBytes = std::size_t{4} << 10;
// A larger value would have to be read as a whole to be redacted.
constexpr std::size_t kMostReadBytes = std::size_t{64} << 10;

std::string cut(std::string_view text, std::size_t most) {
  return std::string(base::beginning_of(text, most));
}

std::string shown_value(std::string_view json) {
  return json.size() > kMostReadBytes ? "(" + std::to_string(json.size()) + " bytes)"
                                      : cut(redacted(json), kMostValueBytes);
}

observe::TraceContext parent_of(const RunSettings& settings) {
  return observe::read_traceparent(settings.traceparent).value_or(observe::TraceContext());
}

std::string name_of_run(const RunSettings& settings) {
  return settings.chain.empty() ? "run" : "run " + cut(settings.chain.back(), kMostNameBytes);
}

// Without query and fragment, which may hold a secret.
std::string plain_url(std::string_view target) {
  const std::size_t space = target.find(' ');
  if (space != target.npos) target.remove_prefix(space + 1);
  return std::string(target.substr(0, target.find_first_of("?#")));
}

std::int64_t microseconds(double milliseconds) {
  return static_cast<std::int64_t>(milliseconds * 1000);
}

Span past(std::string name, const observe::SpanId& parent, std::int64_t start_us, std::int64_t end_us) {
  Span span;
  span.parent = parent;
  span.name = std::move(name);
  span.start_us = start_us;
  span.end_us = std::max(start_us, end_us);
  return span;
}

void tell_failure(Span& span, std::string_view code, std::string message) {
  span.status = Span::Status::kError;
  span.message = std::move(message);
  span.set(names::kErrorType, std::string(code));
}

}  // namespace

std::string shown_target(const TraceEntry& entry) {
  if (entry.op.starts_with("net.")) return redacted_text(plain_url(entry.target));
  return entry.op.starts_with("fs.") || entry.op == "env.get" ? redacted_text(entry.target) : "";
}

RunSpans::RunSpans(const store::RunRecord& run, const RunSettings& settings, TraceSettings what)
    : what_(what), parent_(parent_of(settings)), trace_(parent_, name_of_run(settings), Span::Kind::kServer) {
  if (!what_.on) return;
  Span& root = trace_.root();
  root.set(names::kRun, run.id);
  root.set(names::kLanguage, run.language);
  if (!settings.chain.empty()) root.set(names::kCapability, settings.chain.back());
}

void RunSpans::resume(const std::optional<std::string>& json) {
  if (!what_.on || !json) return;
  auto stored = observe::trace_of(*json);
  if (!stored || stored->spans.empty()) return;
  trace_ = observe::RunTrace::continued(std::move(stored).value(), {kCall, kApproval}, trace_.sampled());
}

void RunSpans::check_began() {
  if (what_.on) check_ = trace_.begin("check", trace_.root().id);
}

void RunSpans::check_ended(std::size_t findings, bool stops) {
  if (!what_.on) return;
  if (Span* span = trace_.find(check_)) span->set("glovebox.check.findings", static_cast<std::int64_t>(findings));
  trace_.end(check_, stops ? Span::Status::kError : Span::Status::kUnset);
}

void RunSpans::attempt_began(std::int64_t at_us) {
  if (!what_.on) return;
  submitted_us_ = at_us;
  attempt_ = trace_.begin("execution", trace_.root().id, Span::Kind::kInternal, submitted_us_);
}

void RunSpans::attempt_ended(const Outcome& outcome, bool parks) {
  Span* execution = what_.on ? trace_.find(attempt_) : nullptr;
  if (!execution || execution->end_us || execution->id == trace_.root().id) return;
  const Metrics& metrics = outcome.metrics;
  const std::int64_t queued = submitted_us_ + microseconds(metrics.queue_ms);
  const std::int64_t started = std::max(queued, submitted_us_ + microseconds(metrics.startup_ms));
  execution->start_us = started;
  execution->set(names::kCpuMs, metrics.cpu_ms);
  execution->set(names::kMemoryMb, metrics.memory_used_mb);
  if (parks) execution->set(names::kParked, true);
  if (const RunError* error = outcome.error(); error && !parks) tell_failure(*execution, error->code.name(), "");
  const Span::Status status = execution->status;
  const observe::SpanId root = trace_.root().id;
  trace_.end(attempt_, status, "", started + microseconds(metrics.execution_ms));
  trace_.add(past("queue", root, submitted_us_, queued));
  Span start = past("start", root, queued, started);
  start.set(names::kPooled, metrics.pooled);
  trace_.add(std::move(start));
  add_calls(outcome, attempt_);
}

// Calls of the code other than tool calls.
void RunSpans::add_calls(const Outcome& outcome, const observe::SpanId& parent) {
  const auto now = std::chrono::steady_clock::now();
  const std::int64_t wall = observe::now_us();
  for (const TraceEntry& entry : outcome.trace) {
    if (entry.op == "tool" || entry.recalled || entry.since == std::chrono::steady_clock::time_point()) continue;
    const std::int64_t start = wall - std::chrono::duration_cast<std::chrono::microseconds>(now - entry.since).count();
    Span span = past(cut(entry.op, kMostNameBytes), parent, start, start + microseconds(entry.duration_ms));
    if (entry.op.starts_with("fs.")) span.set(names::kFilePath, shown_target(entry));
    if (entry.op.starts_with("net.")) span.set(names::kUrlFull, shown_target(entry));
    if (entry.op.starts_with("net.")) span.kind = Span::Kind::kClient;
    if (!entry.leads_to.empty()) span.set(names::kLinkTarget, redacted_text(entry.leads_to));
    if (entry.bytes) span.set(names::kBytes, static_cast<std::int64_t>(entry.bytes));
    if (entry.outcome == TraceEntry::Outcome::kDenied) tell_failure(span, "PERMISSION_DENIED", "");
    if (entry.outcome == TraceEntry::Outcome::kFailed) tell_failure(span, "ERROR", "");
    trace_.add(std::move(span));
  }
}

void RunSpans::call_began(const ToolCall& call) {
  const auto id = static_cast<std::int64_t>(call.id);
  if (!what_.on || trace_.find_open(kCall, names::kCall, id)) return;
  // The name in the code may hold anything that the code has read; the server's name is set once it is known.
  const observe::SpanId span = trace_.begin(std::string(kCall) + " " + kUnknown, attempt_, Span::Kind::kClient);
  if (span == attempt_) return;  // the trace is full
  Span* began = trace_.find(span);
  began->set(names::kMcpMethodName, std::string(names::kMcpToolsCall));
  began->set(names::kOperationName, std::string(names::kExecuteTool));
  began->set(names::kToolName, std::string(kUnknown));
  began->set(names::kServer, std::string(kUnknown));
  began->set(names::kCall, id);
  if (what_.arguments) began->set(names::kToolCallArguments, shown_value(call.arguments_json));
}

void RunSpans::call_resolved(std::uint64_t call, const catalog::Tool& tool) {
  Span* span = what_.on ? trace_.find_open(kCall, names::kCall, static_cast<std::int64_t>(call)) : nullptr;
  if (!span) return;
  span->name = std::string(kCall) + " " + tool.name;
  span->set(names::kToolName, tool.name);
  span->set(names::kServer, tool.server);
}

std::string RunSpans::traceparent_of(std::uint64_t call) {
  if (!what_.on) return parent_ ? observe::traceparent(parent_) : "";
  observe::TraceContext context = trace_.context();
  const Span* span = trace_.find_open(kCall, names::kCall, static_cast<std::int64_t>(call));
  if (span) context.span = span->id;
  return observe::traceparent(context);
}

void RunSpans::call_ended(const ToolCall& call, std::string_view outcome, std::string_view code,
                          std::string_view result) {
  const auto id = static_cast<std::int64_t>(call.id);
  Span* span = what_.on ? trace_.find_open(kCall, names::kCall, id) : nullptr;
  if (!span) return;
  if (const Span* approval = trace_.find_open(kApproval, names::kCall, id)) trace_.end(approval->id);
  span->set(names::kOutcome, std::string(outcome));
  if (!result.empty()) span->set(names::kBytes, static_cast<std::int64_t>(result.size()));
  if (what_.results && !result.empty()) span->set(names::kToolCallResult, shown_value(result));
  if (!code.empty()) span->set(names::kErrorType, std::string(code));
  trace_.end(span->id, code.empty() ? Span::Status::kOk : Span::Status::kError);
}

void RunSpans::approval_asked(std::uint64_t call, const std::string& approval) {
  const auto id = static_cast<std::int64_t>(call);
  const Span* parent = what_.on ? trace_.find_open(kCall, names::kCall, id) : nullptr;
  if (!parent || trace_.find_open(kApproval, names::kCall, id)) return;
  const observe::SpanId above = parent->id;
  const observe::SpanId span = trace_.begin(std::string(kApproval), above);
  if (span == above) return;
  Span* began = trace_.find(span);
  began->set(names::kCall, id);
  began->set(names::kApproval, approval);
}

void RunSpans::approval_answered(std::uint64_t call, std::string_view decision) {
  Span* span = what_.on ? trace_.find_open(kApproval, names::kCall, static_cast<std::int64_t>(call)) : nullptr;
  if (!span) return;
  span->set(names::kDecision, std::string(decision));
  trace_.end(span->id);
}

void RunSpans::ended(store::RunStatus status, const Outcome& outcome) {
  if (!what_.on) return;
  trace_.root().set(names::kStatus, std::string(store::name_of(status)));
  if (outcome.metrics.cached) trace_.root().set(names::kCached, true);
  const RunError* error = outcome.error();
  if (error) trace_.root().set(names::kErrorType, error->code.text());
  // The message may hold what the code has seen; it is in the result.
  trace_.end_all(error ? Span::Status::kError : Span::Status::kOk, "");
}

std::string RunSpans::json() const {
  return what_.on ? observe::to_json(trace_.trace()) : "";
}

}  // namespace glovebox::gateway
