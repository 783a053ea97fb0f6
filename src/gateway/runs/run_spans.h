// RunSpans: the trace of a run, as spans.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "catalog/tool.h"
#include "gateway/runs/run_settings.h"
#include "glovebox/sandbox.h"
#include "observe/run_trace.h"
#include "store/records.h"

namespace glovebox::gateway {

// What a trace records beyond what happens.
struct TraceSettings {
  bool on = true;
  bool arguments = false;  // of tool calls, redacted
  bool results = false;    // likewise
};

// A path, or a URL without its query, which may hold a secret; redacted. Empty for other kinds of calls.
std::string shown_target(const TraceEntry& entry);

class RunSpans {
 public:
  // If tracing is off, only the caller's context is passed on.
  RunSpans(const store::RunRecord& run, const RunSettings& settings, TraceSettings what);
  // Continues the trace of the gateway that had the run before, if it has stored one.
  void resume(const std::optional<std::string>& json);

  void check_began();
  void check_ended(std::size_t findings, bool stops);
  // An attempt begins, and ends or is parked.
  void attempt_began(std::int64_t at_us = observe::now_us());
  void attempt_ended(const Outcome& outcome, bool parks = false);

  // A call that was begun in an earlier attempt is the same call.
  void call_began(const ToolCall& call);
  void call_resolved(std::uint64_t call, const catalog::Tool& tool);
  // W3C's traceparent, for the called server.
  std::string traceparent_of(std::uint64_t call);
  void call_ended(const ToolCall& call, std::string_view outcome, std::string_view code, std::string_view result);
  void approval_asked(std::uint64_t call, const std::string& approval);
  void approval_answered(std::uint64_t call, std::string_view decision);

  void ended(store::RunStatus status, const Outcome& outcome);

  bool on() const { return what_.on; }
  bool sampled() const { return trace_.sampled(); }
  std::string id() const { return observe::to_hex(trace_.id()); }
  std::string json() const;
  const observe::Trace& trace() const { return trace_.trace(); }

 private:
  void add_calls(const Outcome& outcome, const observe::SpanId& parent);

  TraceSettings what_;
  observe::TraceContext parent_;
  observe::RunTrace trace_;
  observe::SpanId check_;
  observe::SpanId attempt_;
  std::int64_t submitted_us_ = 0;
};

}  // namespace glovebox::gateway
