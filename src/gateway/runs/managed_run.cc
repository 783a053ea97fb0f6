#include "gateway/runs/managed_run.h"

#include <algorithm>
#include <boost/asio/post.hpp>

#include "base/digest.h"
#include "base/text/log_text.h"
#include "base/try.h"
#include "gateway/adoption/attempt_request.h"
#include "gateway/adoption/store_again.h"
#include "gateway/privacy/run_privacy.h"

namespace glovebox::gateway {
namespace {

using policy::Verdict;
using store::RunStatus;

// In its result; all called runs are in the store.
constexpr std::size_t kMostNested = 100;
constexpr std::size_t kMostDiagnostics = 100;

// Whether there is work that does not wait for a person.
bool has_open_call(const RunJournal& journal, const RunQuestions& questions) {
  const auto open = journal.open_calls();
  return open.empty() ||
         std::any_of(open.begin(), open.end(), [&](const auto& call) { return !questions.waits(call.first); });
}

// The tools of a guest, whose calls arrive on the Sandbox's thread and are handled on the gateway's.
class GuestTools final : public ToolHost {
 public:
  using OnCall = std::function<void(ToolCall call, ToolAnswer answer)>;
  // `on_end` is called only if the guest has called something.
  GuestTools(boost::asio::any_io_executor on, std::vector<ToolNamespace> all, OnCall on_call,
             std::function<void()> on_end)
      : executor_(std::move(on)), all_(std::move(all)), on_call_(std::move(on_call)), on_end_(std::move(on_end)) {}

  std::vector<ToolNamespace> tools() const override { return all_; }
  void call(ToolCall call, ToolAnswer answer) override {
    has_called_ = true;
    boost::asio::post(executor_, [heard = on_call_, call = std::move(call), answer]() mutable {
      heard(std::move(call), std::move(answer));
    });
  }
  bool keeps_time() const override { return true; }
  void end() override {
    if (has_called_) boost::asio::post(executor_, on_end_);
  }

 private:
  boost::asio::any_io_executor executor_;
  std::vector<ToolNamespace> all_;
  OnCall on_call_;
  std::function<void()> on_end_;
  bool has_called_ = false;
};

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
  const auto since = journal_ && !over_ ? journal_->waits_since() : std::nullopt;
  if (!since || std::chrono::steady_clock::now() - *since < patience) return;
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

Result<void> ManagedRun::resume() {
  open_journal();
  has_tokens_ = true;
  rules_.forget();
  if (services_->privacy) privacy_ = RunPrivacy::resumed(services_->privacy, services_->tokens->load(record_.id));
  const auto history = GLOVEBOX_TRY(journal_->load());
  has_acted_ = settings_.careful && journal_->has_begun();
  questions_.load();
  if (const auto trace = services_->store.find_trace(record_.id)) spans_.resume(trace.value());
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
    begin_attempt(history);
  } else {
    reconsider();
  }
  return {};
}

void ManagedRun::begin_attempt(std::vector<JournalEntry> history) {
  attempt_ = std::make_shared<Attempt>();
  attempt_->began_us = observe::now_us();
  if (!awaits_verdict_) spans_.attempt_began(attempt_->began_us);
  RunRequest request = attempt_request(record_, settings_, *services_, std::move(history));
  const auto executor = services_->executor;
  // Events of a guest are for its own attempt.
  const auto here = [weak = weak_from_this(), attempt = std::weak_ptr<Attempt>(attempt_)](auto handle) {
    const auto run = weak.lock();
    const auto its_attempt = attempt.lock();
    if (run && its_attempt) handle(*run, its_attempt);
  };
  namespaces_ = services_->tools.namespaces();
  request.tools = std::make_shared<GuestTools>(
      executor, namespaces_,
      [here](ToolCall call, ToolAnswer answer) {
        here([&](ManagedRun& run, const auto& attempt) { run.on_call(attempt, std::move(call), std::move(answer)); });
      },
      [here] { here([](ManagedRun& run, const auto& attempt) { run.on_attempt_over(attempt); }); });
  if (services_->log && services_->log->wants(observe::Level::kDebug)) {
    services_->say(
        observe::Level::kDebug, "sandbox created",
        {{"run", record_.id}, {"language", record_.language}, {"timeoutMs", request.config.timeout.count()}});
  }
  request.on_journal = [journal = journal_](JournalEntry entry) { journal->add(std::move(entry)); };
  request.before_call = [journal = journal_](bool acts, std::function<void()> go) {
    journal->before_call(acts, std::move(go));
  };
  if (awaits_verdict_) {
    attempt_->first_call = std::make_shared<HeldCall>();
    request.before_first_call = [held = attempt_->first_call](std::function<void()> go) {
      held->when_open(std::move(go));
    };
  }
  request.on_log = [here, executor](const LogLine& line) {
    boost::asio::post(executor,
                      [here, line] { here([&](ManagedRun& run, const auto& attempt) { run.on_log(attempt, line); }); });
  };
  request.on_line = [here, executor](std::optional<std::size_t> before) {
    boost::asio::post(executor, [here, before] {
      here([&](ManagedRun& run, const auto& attempt) { run.on_line(attempt, before); });
    });
  };
  // The callback keeps the attempt alive, so that the end of a parked one is recognised.
  const auto done = [weak = weak_from_this(), attempt = attempt_, services = services_, executor](Outcome outcome) {
    boost::asio::post(executor, [weak, attempt, outcome = std::make_shared<Outcome>(std::move(outcome))] {
      if (const auto run = weak.lock()) run->on_done(attempt, std::move(*outcome));
    });
  };
  Runner& runner = services_->runner;
  attempt_->cancel =
      settings_.careful ? runner.submit_task(std::move(request), done) : runner.submit(std::move(request), done);
}

void ManagedRun::wake() {
  if (over_) return;
  if (attempt_) {
    wake_when_parked_ = attempt_->parking;
    return;
  }
  auto history = journal_->load();
  if (!history && history.failure().code == ErrorCode::kSystem) {
    // It has waited for a person; it can wait for the store.
    return try_store_again(*services_, [weak = weak_from_this()] {
      if (const auto run = weak.lock()) run->wake();
    });
  }
  if (!history) return end_with("STORE_UNAVAILABLE", history.failure().message);
  services_->note(AuditEvent("run.resumed").text("run", record_.id));
  begin_attempt(std::move(history).value());
}

void ManagedRun::on_call(const std::shared_ptr<Attempt>& attempt, ToolCall call, ToolAnswer answer) {
  if (attempt != attempt_ || attempt->parking || over_) {
    // Dropping the answer would fail the call, and the failure would go into the journal.
    attempt->unanswered.push_back(std::move(answer));
    return;
  }
  const std::uint64_t id = call.id;
  const auto passage = std::make_shared<ToolPassage>(services_, weak_from_this(), std::move(call), std::move(answer));
  attempt->passages[id] = passage;
  passage->start();
}

void ManagedRun::on_attempt_over(const std::shared_ptr<Attempt>& attempt) {
  if (attempt->parking) return;
  auto passages = std::exchange(attempt->passages, {});
  for (const auto& [id, passage] : passages) passage->give_up();
}

void ManagedRun::on_log(const std::shared_ptr<Attempt>& attempt, const LogLine& line) {
  if (over_) return;
  if (awaits_verdict_) return attempt->said.push_back(line);
  // A later attempt repeats the log lines of an earlier one.
  if (++attempt->logs <= logs_reported_) return;
  logs_reported_ = attempt->logs;
  if (services_->on_log) services_->on_log(record_.id, line);
  listeners_.tell(&RunEvents::on_log, line);
}

void ManagedRun::on_line(const std::shared_ptr<Attempt>& attempt, std::optional<std::size_t> before) {
  if (attempt != attempt_) return;
  runs_before_ = before;
  if (!before) return;
  tell_progress("queued for a sandbox, " +
                (*before == 0 ? std::string("next") : std::to_string(*before) + " before it") +
                " (limits.runs, limits.memoryMB)");
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
  go_on(questions_.withdraw_unless([this](const store::ApprovalCall& call) {
    return decide(call.server, call.tool, call.arguments).verdict == Verdict::kAsk;
  }));
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

// The attempt ends with the run, and its calls with it.
void ManagedRun::drop_attempt() {
  if (!attempt_) return;
  uncount_waiting();
  const auto attempt = std::exchange(attempt_, nullptr);
  attempt->parking = false;
  on_attempt_over(attempt);
  if (attempt->cancel) attempt->cancel();
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

bool ManagedRun::has_short_calls() const {
  return services_->todays_config && call_timeout() < services_->todays_config().rpc_timeout;
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
  const auto approvals = services_->store.approvals(record_.id, true);
  if (approvals) tell_again(listener, approvals.value());
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

void ManagedRun::on_done(const std::shared_ptr<Attempt>& attempt, Outcome outcome) {
  if (over_ || attempt != attempt_) return;
  if (awaits_verdict_) {
    attempt->ended = std::move(outcome);
    return;
  }
  const RunError* error = outcome.error();
  const bool cancelled = error && error->code == "CANCELLED";
  // A run that ends while it is being parked has ended.
  const bool parks = attempt->parking && cancelled && !cancelling_;
  spans_.attempt_ended(outcome, parks);
  if (parks) return parked();
  outcome.diagnostics = diagnostics_;
  outcome.metrics.check_ms = check_ms_;
  outcome.nested = nested_;
  reuse_.keep(outcome, *journal_, definitions_);
  const RunStatus status = outcome.ok() ? RunStatus::kFinished : cancelled ? RunStatus::kCancelled : RunStatus::kFailed;
  finish(status, std::move(outcome));
}

void ManagedRun::parked() {
  attempt_ = nullptr;
  services_->note(AuditEvent("run.parked").text("run", record_.id));
  save_trace();
  // A person may have answered meanwhile, and that answer has not been used yet.
  if (std::exchange(wake_when_parked_, false)) wake();
}

// For the gateway that resumes the run. A lost trace is no reason to fail.
void ManagedRun::save_trace() {
  if (!spans_.on()) return;
  services_->store.post_write([run = record_.id, trace = spans_.id(), spans = spans_.json()](
                                  store::Store& store) { return store.save_trace(run, trace, spans); },
                              nullptr, false, store::Haste::kWithNext);
}

}  // namespace glovebox::gateway
