#include "gateway/runs/run_meters.h"

#include "gateway/runs/run_spans.h"

namespace glovebox::gateway {
namespace {

// A loop that keeps asking is denied the same thing again and again.
constexpr std::size_t kMostBlockedLines = 10;

const char* outcome_word(TraceEntry::Outcome outcome) {
  switch (outcome) {
    case TraceEntry::Outcome::kOk: return "ok";
    case TraceEntry::Outcome::kDenied: return "denied";
    case TraceEntry::Outcome::kFailed: return "failed";
    default: return "unfinished";
  }
}

// Logs each call and what it took. The tool's name in the code may hold anything that the code has read; if the call
// succeeded, the name is the server's.
void log_calls(observe::Log& log, const store::RunRecord& run, const Outcome& outcome) {
  for (const TraceEntry& entry : outcome.trace) {
    if (entry.recalled) continue;
    const bool is_named = entry.op == "tool" && entry.outcome == TraceEntry::Outcome::kOk;
    log.say(observe::Level::kDebug, "call",
            {{"run", run.id},
             {"op", entry.op},
             {"target", is_named ? entry.target : shown_target(entry)},
             {"outcome", outcome_word(entry.outcome)},
             {"durationMs", entry.duration_ms},
             {"bytes", entry.bytes}});
  }
}

void log_sandbox(observe::Log& log, const store::RunRecord& run, const Metrics& metrics) {
  log.say(observe::Level::kDebug, "sandbox ended",
          {{"run", run.id},
           {"startupMs", metrics.startup_ms},
           {"executionMs", metrics.execution_ms},
           {"cpuMs", metrics.cpu_ms},
           {"memoryMb", metrics.memory_used_mb},
           {"calls", metrics.calls},
           {"callsDenied", metrics.calls_denied},
           {"resultBytes", metrics.result_bytes},
           {"logBytes", metrics.log_bytes},
           {"gatewayMb", observe::resident_megabytes()}});
}

}  // namespace

void measure_run(observe::Meters& meters, const store::RunRecord& run, store::RunStatus status,
                 const Outcome& outcome) {
  const Metrics& metrics = outcome.metrics;
  meters.executions.add({run.language, std::string(store::name_of(status))});
  if (const RunError* error = outcome.error()) meters.execution_errors.add({std::string(name_of(error->type))});
  if (metrics.cached) return meters.cache_hits.add({"run"});  // nothing ran: the rest is another run's
  for (const TraceEntry& entry : outcome.trace)
    if (entry.cached && !entry.recalled) meters.cache_hits.add({"tool"});
  for (const TraceEntry& entry : outcome.trace)
    if (entry.outcome == TraceEntry::Outcome::kDenied && !entry.recalled) meters.blocked_attempts.add({entry.op});
  if (metrics.startup_ms <= 0) return;  // it had no guest
  meters.execution_ms.observe(metrics.execution_ms, {run.language});
  meters.sandbox_startup_ms.observe(metrics.startup_ms);
  meters.sandbox_memory_mb.observe(metrics.memory_used_mb);
  if (!metrics.pooled) meters.pool_misses.add();
  if (metrics.rewound) meters.rewound.add();
}

void log_run(observe::Log& log, const store::RunRecord& run, store::RunStatus status, const Outcome& outcome,
             std::int64_t now_ms) {
  std::size_t blocked = 0;
  for (const TraceEntry& entry : outcome.trace) {
    // Denied tool calls were logged when they happened.
    if (entry.outcome != TraceEntry::Outcome::kDenied || entry.recalled || entry.op == "tool") continue;
    if (++blocked > kMostBlockedLines) continue;
    log.say(observe::Level::kWarn, "blocked: nothing grants what the code asked for",
            {{"run", run.id}, {"op", entry.op}, {"target", shown_target(entry)}, {"client", run.client}});
  }
  if (blocked > kMostBlockedLines) {
    log.say(observe::Level::kWarn, "blocked: " + std::to_string(blocked - kMostBlockedLines) + " more",
            {{"run", run.id}});
  }
  if (log.wants(observe::Level::kDebug) && !outcome.metrics.cached) {
    log_calls(log, run, outcome);
    log_sandbox(log, run, outcome.metrics);
  }
  const RunError* error = outcome.error();
  const bool is_ours = error && error->type == ErrorType::kSandboxError && status == store::RunStatus::kFailed;
  log.say(is_ours ? observe::Level::kWarn : observe::Level::kInfo, "run " + std::string(store::name_of(status)),
          {{"run", run.id},
           {"client", run.client},
           {"language", run.language},
           {"code", error ? error->code.name() : ""},
           {"durationMs", now_ms - run.created},
           {"toolCalls", outcome.metrics.tool_calls}});
}

std::string server_label(const std::string& server, bool is_known) {
  return is_known ? server : "unknown";
}

}  // namespace glovebox::gateway
