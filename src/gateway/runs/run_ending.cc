#include "gateway/runs/run_ending.h"

#include <boost/asio/post.hpp>

#include "gateway/runs/recording.h"
#include "gateway/runs/run_meters.h"

namespace glovebox::gateway {
namespace {

using store::RunStatus;

// Of a recording: what a person can still read and keep beside their code.
constexpr std::size_t kMostRecordedBytes = std::size_t{1} << 20;

}  // namespace

Outcome outcome_without_guest(Ending ending, const store::RunRecord& record) {
  Outcome outcome;
  outcome.ending = std::move(ending);
  outcome.metrics.seed = record.seed;
  outcome.metrics.now_ms = record.now;
  return outcome;
}

Outcome failed_outcome(ErrorWord code, const std::string& message, const store::RunRecord& record) {
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

void post_end(const std::shared_ptr<Services>& services, const RunEnd& end, std::int64_t at, store::RunRemains remains,
              EndWrite how, std::function<void(const Result<void>&)> written) {
  services->store.post_write(
      [run = end.run, status = end.status, json = end.outcome_json, at,
       remains = std::move(remains)](store::Store& store) { return store.end_run(run, status, json, at, remains); },
      [weak = std::weak_ptr(services), run = end.run, how, written = std::move(written)](Result<void> ended) {
        const auto alive = weak.lock();
        if (!alive || (ended && !how.is_awaited && !how.has_tokens)) return;
        boost::asio::post(alive->executor, [weak, run, how, written, ended = std::move(ended)] {
          const auto still = weak.lock();
          if (!still) return;
          if (ended && how.has_tokens) still->tokens->drop(run);
          const bool failed = !ended && ended.failure().code != ErrorCode::kConflict;
          if (failed && still->on_notice) still->on_notice(ended.failure().message);
          written(ended);
        });
      },
      false, how.haste);
}

void note_end(const std::shared_ptr<Services>& services, store::RunRecord& record, const RunSettings& settings,
              const RunSpans& spans, const RunEnd& end) {
  record.status = end.status;
  AuditEvent event("run.ended");
  event.text("run", record.id).text("client", record.client).text("status", name_of(end.status));
  if (const RunError* error = end.outcome->error()) event.text("code", error->code.name());
  services->note(event.milliseconds("durationMs", static_cast<double>(services->now() - record.created)));
  if (!settings.report_to.empty() && services->report) services->report(settings.report_to, end);
  measure_run(*services->meters, record, end.status, *end.outcome);
  if (services->log) log_run(*services->log, record, end.status, *end.outcome, services->now());
  if (spans.on() && spans.sampled() && services->on_trace) services->on_trace(spans.trace());
  if (services->on_ended) services->on_ended(record, *end.outcome);
}

}  // namespace glovebox::gateway
