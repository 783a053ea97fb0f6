#include "gateway/runs/managed_run.h"

#include <algorithm>
#include <boost/asio/post.hpp>

#include "base/digest.h"
#include "base/text/log_text.h"
#include "base/try.h"
#include "catalog/call/reported_failure.h"
#include "gateway/privacy/redaction.h"
#include "gateway/privacy/run_privacy.h"
#include "gateway/runs/recording.h"
#include "gateway/runs/run_meters.h"
#include "store/database/patience.h"
#include "store/thread/ask_store.h"

namespace glovebox::gateway {
namespace {

using policy::Verdict;
using store::RunStatus;

// In its result; all called runs are in the store.
constexpr std::size_t kMostNested = 100;
constexpr std::size_t kMostDiagnostics = 100;
// Of a recording: what a person can still read and keep beside their code.
constexpr std::size_t kMostRecordedBytes = std::size_t{1} << 20;

// Whether there is work that does not wait for a person.
bool has_open_call(const RunJournal& journal, const RunQuestions& questions) {
  const auto open = journal.open_calls();
  return open.empty() ||
         std::any_of(open.begin(), open.end(), [&](const auto& call) { return !questions.waits(call.first); });
}

Diagnostic limit_note(const std::string& note) {
  Diagnostic diagnostic;
  diagnostic.about = Diagnostic::About::kLimits;
  diagnostic.code = "LIMIT_NOT_RAISED";
  diagnostic.message = note;
  return diagnostic;
}

}  // namespace

ManagedRun::ManagedRun(std::shared_ptr<Services> services, store::RunRecord record, RunSettings settings,
                       std::function<void()> on_over)
    : services_(std::move(services)),
      record_(std::move(record)),
      settings_(std::move(settings)),
      on_over_(std::move(on_over)),
      rules_(services_, record_, settings_),
      spans_(record_, settings_, services_->traces),
      questions_(services_, record_, spans_,
                 {[this] { return weak_from_this(); }, [this] { return keep_for_later(); },
                  [this](const ApprovalRequest& request) { on_asked(request); }}),
      reuse_(services_, record_, settings_, *this),
      end_timer_(services_->executor),
      verdict_timer_(services_->executor) {}

ManagedRun::~ManagedRun() = default;

void ManagedRun::open_journal() {
  journal_ = std::make_shared<RunJournal>(
      services_->store, record_.id, [weak = weak_from_this(), executor = services_->executor](const Failure& failure) {
        if (weak.expired()) return;
        boost::asio::post(executor, [weak, message = failure.message] {
          if (const auto run = weak.lock()) run->on_journal_lost(message);
        });
      });
}

// A call that was made may have taken effect, whatever the store holds.
void ManagedRun::on_journal_lost(const std::string& why) {
  const bool may_have_acted = has_acted_ || !settings_.careful;
  end_with(may_have_acted ? ErrorWord("OUTCOME_UNKNOWN") : ErrorWord("STORE_UNAVAILABLE"), why);
}

void ManagedRun::give_up_after(std::chrono::milliseconds patience) {
  if (over_) return;
  const auto too_long = [latest = std::chrono::steady_clock::now() - patience](const auto& since) {
    return since && *since <= latest;
  };
  const bool a_call_waits = attempt_ && std::any_of(attempt_->passages.begin(), attempt_->passages.end(),
                                                    [&](auto& one) { return too_long(one.second->at_store_since()); });
  if (!a_call_waits && !(journal_ && too_long(journal_->waits_since()))) return;
  on_journal_lost("the store could not be written for " + std::to_string(patience.count() / 1000) +
                  " s (store.outageSeconds), and the run cannot wait any longer");
}

void ManagedRun::start(CheckMode check, bool may_be_cached) {
  has_asked_ = false;
  open_journal();
  check_ = check;
  awaits_verdict_ = check != CheckMode::kOff && services_->check;
  if (!may_be_cached || !reuse_.serve_from_cache(check)) run_code();
}

void ManagedRun::serve(Outcome outcome) {
  for (const LogLine& line : outcome.logs) listeners_.tell(&RunEvents::on_log, line);
  was_served_ = true;
  finish(RunStatus::kFinished, std::move(outcome));
}

Result<StoredRun> StoredRun::read(store::Store& store, const std::string& run) {
  auto journal = GLOVEBOX_TRY(RunJournal::read(store, run));
  auto questions = GLOVEBOX_TRY(RunQuestions::read(store, run));
  auto trace = store.find_trace(run);
  return StoredRun{std::move(journal), std::move(questions),
                   trace ? std::move(trace).value() : std::optional<std::string>()};
}

void ManagedRun::resume(StoredRun stored) {
  open_journal();
  has_tokens_ = true;
  rules_.forget();
  if (services_->privacy) privacy_ = RunPrivacy::resumed(services_->privacy, services_->tokens->load(record_.id));
  auto history = journal_->load(std::move(stored.journal));
  has_acted_ = settings_.careful && journal_->has_begun();
  questions_.load(stored.questions);
  spans_.resume(stored.trace);
  for (const auto& [call, asked] : questions_.asked()) {
    if (!asked.call.approved || journal_->was_begun(call)) continue;
    services_->note(AuditEvent("approval.found")
                        .text("approval", asked.approval)
                        .text("run", record_.id)
                        .number("call", static_cast<std::int64_t>(call))
                        .text("approver", asked.who)
                        .text("channel", asked.channel)
                        .text("decision", *asked.call.approved ? "approved" : "denied"));
  }
  if (has_open_call(*journal_, questions_)) {
    begin_attempt(std::move(history));
  } else {
    reconsider();
  }
}

Said ManagedRun::said_about(std::uint64_t call, const catalog::Tool& tool, const std::string& arguments) {
  Said said = questions_.said_about(call, tool, arguments);
  if (said.kind != Said::Kind::kNothing) count_waiting();
  return said;
}

Result<void> ManagedRun::keep_for_later() {
  has_asked_ = true;
  journal_->keep();
  if (!privacy_ || privacy_->is_resumed()) return {};
  has_tokens_ = true;
  return services_->tokens->keep(record_.id, privacy_->tokens_in(record_.code + record_.context));
}

void ManagedRun::on_asked(const ApprovalRequest& request) {
  services_->bytes_added += request.json.size();
  save_trace();
  record_.status = RunStatus::kWaiting;
  count_waiting();
  listeners_.tell(&RunEvents::on_waiting, request);
  if (services_->live_waiting > services_->times.most_live_waiting) park_if_idle();
}

// Null when no attempt has made the call, or the attempt is being parked.
std::shared_ptr<ToolPassage> ManagedRun::passage_of(std::uint64_t call) const {
  if (!attempt_ || attempt_->parking) return nullptr;
  const auto found = attempt_->passages.find(call);
  return found == attempt_->passages.end() ? nullptr : found->second;
}

void ManagedRun::apply(const store::AnswerRecord& answer) {
  if (over_) return;
  const auto answered = questions_.apply(answer);
  rules_.forget();
  go_on(answered);
}

void ManagedRun::reconsider() {
  if (over_) return;
  rules_.forget();
  if (!questions_.waits()) return;
  rules_.read(weak_from_this(), [this] {
    if (over_) return;
    if (!rules_.are_read()) return reconsider();
    go_on(questions_.withdraw_unless([this](const store::ApprovalCall& call) {
      return rules_.decide(call.server, call.tool, call.arguments).verdict == Verdict::kAsk;
    }));
  });
}

// These calls no longer wait for a person.
void ManagedRun::go_on(const std::vector<std::uint64_t>& calls) {
  std::vector<std::shared_ptr<ToolPassage>> ready;
  for (const std::uint64_t call : calls) {
    if (const auto passage = passage_of(call)) ready.push_back(passage);
  }
  if (!calls.empty() && !questions_.waits()) {
    record_.status = RunStatus::kRunning;
    services_->store.post_write(
        [run = record_.id](store::Store& store) { return store.set_status(run, RunStatus::kRunning); }, nullptr, false,
        store::Haste::kWithNext);
  }
  count_waiting();
  for (const auto& passage : ready) passage->resume();
  if (!calls.empty()) wake();
}

bool ManagedRun::begin(std::uint64_t call, Again again, std::function<void()> written) {
  // A call that may be made twice is simply repeated in the next attempt.
  if (again == Again::kNothing) return false;
  // A call that can be found again is not marked as begun: the next attempt repeats it, and finds what this one began.
  if (!journal_->begin_call(call, again == Again::kTwice, settings_.careful)) return false;
  journal_->when_written([weak = weak_from_this(), executor = services_->executor, written = std::move(written)] {
    if (weak.expired()) return;
    boost::asio::post(executor, [weak, written] {
      const auto run = weak.lock();
      if (!run) return;
      run->has_acted_ = run->has_acted_ || run->settings_.careful;
      written();
    });
  });
  return true;
}

std::string ManagedRun::idempotency_key(const ToolCall& call) const {
  const std::string& of = settings_.idempotency_key.empty() ? record_.id : settings_.idempotency_key;
  return base::sha256_hex(of + "\n" + std::to_string(call.id) + "\n" + call.server + "\n" + call.tool + "\n" +
                          call.arguments_json);
}

bool ManagedRun::has_room() const {
  return !services_->concurrent_per_run || under_way_ < *services_->concurrent_per_run;
}

void ManagedRun::passage_ended(ToolPassage& passage, bool was_under_way, std::string entry) {
  if (was_under_way) --under_way_;
  if (over_) return;
  const catalog::Tool& tool = passage.tool();
  if (!tool.hash.empty()) definitions_[tool.server + ":" + tool.name] = tool.hash;
  if (attempt_) attempt_->passages.erase(passage.call().id);
  questions_.ran_before(std::move(entry));
}

bool ManagedRun::ask_client(std::string_view method, std::string_view params, catalog::AnswerQuestion& answer) {
  not_cacheable();
  return listeners_.ask_client(method, params, answer);
}

void ManagedRun::called_waits(const ApprovalRequest& request) {
  // People take their time, and the gateway may end meanwhile. A run whose journal cannot be stored ends with it.
  if (journal_) journal_->keep();
  listeners_.tell(&RunEvents::on_waiting, request);
}

void ManagedRun::note_mismatch(const std::string& tool, const std::string& how) {
  const std::string begin = tool + " returned something that its own output schema does not allow: ";
  const auto is_same = [&](const Diagnostic& one) { return one.message.starts_with(begin); };
  if (diagnostics_.size() >= kMostDiagnostics || std::any_of(diagnostics_.begin(), diagnostics_.end(), is_same)) return;
  Diagnostic diagnostic;
  diagnostic.severity = Diagnostic::Severity::kWarning;
  diagnostic.about = Diagnostic::About::kTools;
  diagnostic.code = "OUTPUT_SCHEMA";
  diagnostic.message = base::neutralise(begin + how);
  diagnostics_.push_back(std::move(diagnostic));
}

void ManagedRun::add_nested(std::string json) {
  if (nested_.size() < kMostNested) nested_.push_back(std::move(json));
}

std::uint64_t ManagedRun::attach(RunEvents events) {
  const bool listens = events.on_waiting != nullptr;
  const std::uint64_t listener = listeners_.add(std::move(events));
  if (!listens || !questions_.waits()) return listener;
  // Each new listener learns what the run waits for.
  store::ask_store(
      services_->store, services_->executor,
      [run = record_.id](store::Store& store) { return store.approvals(run, true); },
      [weak = weak_from_this(), listener](const Result<std::vector<store::ApprovalRecord>>& approvals) {
        const auto run = weak.lock();
        if (run && approvals) run->tell_again(listener, approvals.value());
      });
  return listener;
}

void ManagedRun::tell_again(std::uint64_t listener, const std::vector<store::ApprovalRecord>& approvals) {
  for (const store::ApprovalRecord& approval : approvals) {
    ApprovalRequest request{approval.id, record_.id, "", approval.card};
    boost::asio::post(services_->executor, [weak = weak_from_this(), listener, request = std::move(request)] {
      if (const auto run = weak.lock()) run->listeners_.tell_one(listener, &RunEvents::on_waiting, request);
    });
  }
}

// For the gateway that resumes the run. A lost trace is no reason to fail.
void ManagedRun::save_trace() {
  if (!spans_.on()) return;
  services_->store.post_write([run = record_.id, trace = spans_.id(), spans = spans_.json()](
                                  store::Store& store) { return store.save_trace(run, trace, spans); },
                              nullptr, false, store::Haste::kWithNext);
}

// --- its end: what of it stays in the store, when its listeners are notified, and how it is reported to others: audit
// log, metrics, log and trace, and the gateway that handed its code over.

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
  std::string json = to_json(outcome);
  const auto end = std::make_shared<const RunEnd>(
      RunEnd{record_.id, status, std::move(json), std::make_shared<const Outcome>(std::move(outcome))});
  const std::int64_t at = services_->now();
  end_ = end;
  // Its record is posted below, before anything else is asked of this gateway.
  if (answers_first() && !services_->closing) tell_end({});
  store::RunRemains remains;
  if (status != RunStatus::kCancelled) remains.recording = recording();
  remains.trace = {spans_.on() ? spans_.id() : "", spans_.json()};
  remains.audit_head = services_->audit.head().text();
  remains.has_asked = has_asked_;
  remains.has_journal = !journal_ || journal_->has_been_kept();
  // Until a workflow has committed the run's changes, the gateway that resumes it may have to remake them.
  remains.journal = settings_.careful && end->outcome->ok() && !end->outcome->changes.empty() && journal_->is_kept();
  remains.artifacts = end->outcome->artifacts;
  services_->bytes_added += end->outcome_json.size() + remains.trace.spans.size();
  for (const Artifact& artifact : remains.artifacts) services_->bytes_added += artifact.bytes().size();
  if (remains.recording) services_->bytes_added += remains.recording->calls.size();
  if (services_->closing) {
    const store::DirectCalls direct;
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
  end_timer_.expires_after(services_->times.record_most);
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

// The waiting client gets the result of a run that called nothing first, unless another record follows from it at once.
bool ManagedRun::answers_first() const {
  return has_called_nothing() && settings_.depth == 0 && !settings_.careful && settings_.report_to.empty();
}

void ManagedRun::tell_end(const Result<void>& written) {
  const auto kept = std::exchange(end_, nullptr);
  if (!kept) return;
  const auto self = shared_from_this();
  const RunEnd& end = *kept;
  end_timer_.cancel();
  if (!written && written.failure().code == ErrorCode::kConflict) return tell_lost(written.failure().message);
  const bool is_first = answers_first();
  if (!is_first) note_end(end);
  listeners_.tell_last(&RunEvents::on_end, end);
  if (is_first) note_end(end);
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
  // An end that waits for its record is refused: it was posted after the question whether the node is still there.
  if (over_ && !std::exchange(end_, nullptr)) return;
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
