// How a run ends: what of it stays in the store, when its listeners are notified, and how the end is reported to
// others: audit log, metrics, log and trace, and the gateway that handed its code over.
#include <boost/asio/post.hpp>

#include "catalog/call/reported_failure.h"
#include "gateway/privacy/redaction.h"
#include "gateway/runs/managed_run.h"
#include "gateway/runs/recording.h"
#include "gateway/runs/run_meters.h"

namespace glovebox::gateway {
namespace {

using store::RunStatus;

// How long a result waits until its record is written.
constexpr std::chrono::seconds kLongestWait{1};
// Of a recording: what a person can still read and keep beside their code.
constexpr std::size_t kMostRecordedBytes = std::size_t{1} << 20;

Diagnostic limit_note(const std::string& note) {
  Diagnostic diagnostic;
  diagnostic.about = Diagnostic::About::kLimits;
  diagnostic.code = "LIMIT_NOT_RAISED";
  diagnostic.message = note;
  return diagnostic;
}

}  // namespace

Outcome ManagedRun::outcome_without_guest(Ending ending) const {
  Outcome outcome;
  outcome.ending = std::move(ending);
  outcome.metrics.seed = record_.seed;
  outcome.metrics.now_ms = record_.now;
  return outcome;
}

Outcome ManagedRun::failed_outcome(ErrorWord code, const std::string& message) const {
  return outcome_without_guest(Crashed{{ErrorType::kSandboxError, code, message, "", std::nullopt}});
}

// Nothing if it is too large for a person to replay, or if the owner wants no recordings.
std::optional<store::RecordingRecord> ManagedRun::recording() const {
  if (!services_->record_runs || !journal_ || was_served_) return std::nullopt;
  const auto journal = journal_->whole();
  if (!journal) return std::nullopt;
  std::size_t bytes = 0;
  for (const JournalEntry& entry : *journal) bytes += entry.frames.size() + entry.arguments.size();
  if (bytes > kMostRecordedBytes) return std::nullopt;
  const auto calls = recorded_calls(*journal);
  if (!calls) return std::nullopt;
  return store::RecordingRecord{to_json(calls.value()), to_json(namespaces_), to_json(definitions_)};
}

void ManagedRun::finish(RunStatus status, Outcome outcome) {
  const auto self = shared_from_this();
  over_ = true;
  not_cacheable();
  questions_.stop();
  drop_attempt();
  for (const std::string& note : settings_.notes) outcome.diagnostics.push_back(limit_note(note));
  spans_.ended(status, outcome);
  store::RunRemains remains;
  if (status != RunStatus::kCancelled) remains.recording = recording();
  remains.trace = {spans_.on() ? spans_.id() : "", spans_.json()};
  // Until a workflow has committed the run's changes, the gateway that resumes it may have to remake them.
  remains.audit_head = services_->audit.head().text();
  remains.has_asked = has_asked_;
  remains.has_journal = !journal_ || journal_->has_been_kept();
  remains.journal = settings_.careful && outcome.ok() && !outcome.changes.empty() && journal_->is_kept();
  std::string json = to_json(outcome);
  remains.artifacts = outcome.artifacts;
  services_->bytes_added += json.size() + remains.trace.spans.size();
  for (const Artifact& artifact : remains.artifacts) services_->bytes_added += artifact.bytes().size();
  if (remains.recording) services_->bytes_added += remains.recording->calls.size();
  const auto end = std::make_shared<const RunEnd>(
      RunEnd{record_.id, status, std::move(json), std::make_shared<const Outcome>(std::move(outcome))});
  const std::int64_t at = services_->now();
  end_ = end;
  if (services_->closing) {
    return tell_end(services_->store.end_run(end->run, end->status, end->outcome_json, at, remains));
  }
  // A workflow's step is written after the end of its task's run, or together with it. A run that called nothing has
  // had no effect that its record would have to explain. And a caller need not wait for a store that is away: the
  // result is here.
  const bool goes_along = settings_.careful || has_called_nothing();
  const bool waits = !goes_along && services_->store.is_away_for().count() == 0;
  const bool keeps_journal = remains.journal;
  write_end(*end, at, std::move(remains), goes_along ? store::Haste::kWithNext : store::Haste::kNow, waits);
  if (journal_ && !keeps_journal) journal_->will_be_dropped();
  if (!waits) return tell_end({});
  end_timer_.expires_after(kLongestWait);
  end_timer_.async_wait([weak = weak_from_this()](const boost::system::error_code& error) {
    const auto run = weak.lock();
    if (!error && run) run->tell_end({});
  });
}

// kConflict, and nothing is written, when the run is another gateway's by now.
void ManagedRun::write_end(const RunEnd& end, std::int64_t at, store::RunRemains remains, store::Haste haste,
                           bool waits) {
  // Where nothing waits for it, only a failure is of interest, or that values of privacy tokens may be dropped.
  const bool is_awaited = waits || has_tokens_;
  services_->store.post_write(
      [run = end.run, status = end.status, json = end.outcome_json, at,
       remains = std::move(remains)](store::Store& store) { return store.end_run(run, status, json, at, remains); },
      [weak = weak_from_this(), services = std::weak_ptr(services_), id = end.run, is_awaited,
       has_tokens = has_tokens_](Result<void> written) {
        const auto alive = services.lock();
        if (!alive || (written && !is_awaited)) return;
        boost::asio::post(alive->executor, [weak, services, id, has_tokens, written = std::move(written)] {
          const auto still = services.lock();
          if (!still) return;
          if (written && has_tokens) still->tokens->drop(id);
          const bool failed = !written && written.failure().code != ErrorCode::kConflict;
          if (failed && still->on_notice) still->on_notice(written.failure().message);
          if (const auto run = weak.lock()) run->tell_end(written);
        });
      },
      false, haste);
}

bool ManagedRun::has_called_nothing() const {
  return journal_ && journal_->size() == 0 && !journal_->has_been_kept();
}

void ManagedRun::tell_end(const Result<void>& written) {
  const auto kept = std::exchange(end_, nullptr);
  if (!kept) return;
  const auto self = shared_from_this();
  const RunEnd& end = *kept;
  end_timer_.cancel();
  if (!written && written.failure().code == ErrorCode::kConflict) return tell_lost(written.failure().message);
  // The waiting client gets its result first, unless another record follows from it at once.
  const bool answers_first =
      has_called_nothing() && settings_.depth == 0 && !settings_.careful && settings_.report_to.empty();
  if (!answers_first) note_end(end);
  listeners_.tell_last(&RunEvents::on_end, end);
  if (answers_first) note_end(end);
  if (on_over_) on_over_();
}

// Reports the end to all but its listeners.
void ManagedRun::note_end(const RunEnd& end) {
  record_.status = end.status;
  AuditEvent event("run.ended");
  event.text("run", record_.id).text("client", record_.client).text("status", name_of(end.status));
  if (const RunError* error = end.outcome->error()) event.text("code", error->code.name());
  services_->note(event.milliseconds("durationMs", static_cast<double>(services_->now() - record_.created)));
  if (!settings_.report_to.empty() && services_->report) services_->report(settings_.report_to, end);
  measure_run(*services_->meters, record_, end.status, *end.outcome);
  if (services_->log) log_run(*services_->log, record_, end.status, *end.outcome, services_->now());
  if (spans_.on() && spans_.sampled() && services_->on_trace) services_->on_trace(spans_.trace());
  if (services_->on_ended) services_->on_ended(record_, *end.outcome);
}

void ManagedRun::cancel() {
  if (over_) return;
  cancelling_ = true;
  // The guest itself reports how far it came, but not before the verdict.
  if (!awaits_verdict_ && attempt_ && attempt_->cancel) return attempt_->cancel();
  note_trouble_of_held_guest();
  finish(RunStatus::kCancelled, failed_outcome("CANCELLED", "the run was cancelled"));
}

void ManagedRun::end_with(ErrorWord code, const std::string& message) {
  if (over_) return;
  const std::string reported = catalog::without_host_paths(message);
  if (reported != message) {
    services_->note(AuditEvent("run.stopped")
                        .text("run", record_.id)
                        .text("code", code.name())
                        .text("error", redacted_text(message)));
  }
  finish(RunStatus::kFailed, failed_outcome(code, reported));
}

void ManagedRun::leave(Leaving how) {
  const auto self = shared_from_this();
  if (over_) return tell_end({});
  // A resumed run is not checked again.
  if (awaits_verdict_) {
    note_trouble_of_held_guest();
    return end_with("NOT_BEGUN", "the gateway was closed while the code was checked");
  }
  if (how == Leaving::kKeeps && journal_) (void)keep_for_later().ok();
  if (!journal_ || !journal_->is_kept()) {
    if (has_acted_) return end_with("OUTCOME_UNKNOWN", "the gateway was closed while the code ran");
    return end_with("GATEWAY_CLOSED", "the gateway was closed");
  }
  over_ = true;
  not_cacheable();
  questions_.stop();
  uncount_waiting();
  // Its calls are not given up: the next attempt would take a call that ended as given up for settled.
  if (attempt_) attempt_->cancel();
}

void ManagedRun::lose() {
  const auto self = shared_from_this();
  if (over_) return;
  over_ = true;
  not_cacheable();
  questions_.stop();
  drop_attempt();
  tell_lost("this gateway was declared dead, and another one has taken over the run");
}

// The outcome here does not count: neither its result nor its file changes.
void ManagedRun::tell_lost(const std::string& why) {
  const auto outcome = std::make_shared<const Outcome>(failed_outcome("LEASE_LOST", why));
  services_->note(AuditEvent("run.lost").text("run", record_.id).text("reason", why));
  const RunEnd end{record_.id, RunStatus::kFailed, to_json(*outcome), outcome};
  listeners_.tell_last(&RunEvents::on_end, end);
  if (on_over_) on_over_();
}

}  // namespace glovebox::gateway
