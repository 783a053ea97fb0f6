#include "gateway/run_ending.h"

#include "gateway/recording.h"
#include "gateway/run_meters.h"
#include "gateway/store_again.h"

namespace glovebox::gateway {
namespace {

using store::RunStatus;

// Of a recording: what a person can still read and keep beside their code.
constexpr std::size_t kMostRecordedBytes = std::size_t{1} << 20;

// The end of a run that the store has yet to hear of, so that nobody takes the run for one that goes on.
struct UntoldEnd {
  std::string run;
  RunStatus status;
  std::string outcome_json;
  std::int64_t at;
  store::RunRemains remains;
};
void end_later(const std::weak_ptr<Services>& services, UntoldEnd end) {
  const auto alive = services.lock();
  if (!alive) return;
  try_store_again(*alive, [services, end = std::move(end)] {
    const auto still = services.lock();
    if (!still) return;
    const auto ended = still->store.end_run(end.run, end.status, end.outcome_json, end.at, end.remains);
    if (!ended && ended.failure().code == ErrorCode::kSystem) end_later(services, end);
  });
}

}  // namespace

Outcome outcome_without_guest(Ending ending, const store::RunRecord& record) {
  Outcome outcome;
  outcome.ending = std::move(ending);
  outcome.metrics.seed = record.seed;
  outcome.metrics.now_ms = record.now;
  return outcome;
}

Outcome failed_outcome(const char* code, const std::string& message, const store::RunRecord& record) {
  return outcome_without_guest(Crashed{{ErrorType::kSandboxError, code, message, "", std::nullopt}}, record);
}

std::optional<store::RecordingRecord> recording_of(const std::vector<JournalEntry>& journal,
                                                   const std::vector<ToolNamespace>& tools,
                                                   const std::map<std::string, std::string>& definitions) {
  std::size_t bytes = 0;
  for (const JournalEntry& entry : journal) bytes += entry.frames.size() + entry.arguments.size();
  if (bytes > kMostRecordedBytes) return std::nullopt;
  const auto calls = recorded_calls(journal);
  if (!calls) return std::nullopt;
  return store::RecordingRecord{to_json(calls.value()), to_json(tools), to_json(definitions)};
}

Result<void> end_run(const std::shared_ptr<Services>& services, store::RunRecord& record, const RunSettings& settings,
                     const RunSpans& spans, const RunEnd& end, store::RunRemains remains) {
  auto ended = services->store.end_run(end.run, end.status, end.outcome_json, services->now(), remains);
  if (!ended && ended.failure().code == ErrorCode::kConflict) return ended;
  record.status = end.status;
  AuditEvent event("run.ended");
  event.text("run", record.id).text("client", record.client).text("status", name_of(end.status));
  if (const RunError* error = end.outcome->error()) event.text("code", error->code);
  services->note(event.milliseconds("durationMs", static_cast<double>(services->now() - record.created)));
  services->tokens->drop(record.id);
  if (!ended && services->on_notice) services->on_notice(ended.failure().message);
  if (!ended) end_later(services, {record.id, end.status, end.outcome_json, services->now(), std::move(remains)});
  if (!settings.report_to.empty() && services->report) services->report(settings.report_to, end);
  measure_run(*services->meters, record, end.status, *end.outcome);
  if (services->log) log_run(*services->log, record, end.status, *end.outcome, services->now());
  if (spans.on() && spans.sampled() && services->on_trace) services->on_trace(spans.trace());
  if (end.status == RunStatus::kFinished && services->on_finished) services->on_finished(record, *end.outcome);
  return {};
}

}  // namespace glovebox::gateway
