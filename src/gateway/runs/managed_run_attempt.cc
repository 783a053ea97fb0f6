// One attempt of a run: what its guest is given, how it ends, and when a run that waits for people gives its guest
// back.
//
// TypeScript is checked while a guest already runs it, and the verdict comes before any effect: until then the guest's
// first call is held, and its log lines and its end are withheld. A run that the check stops has done nothing, and
// leaves the same records as if no guest had run it.
#include <algorithm>
#include <boost/asio/post.hpp>
#include <boost/json.hpp>

#include "gateway/adoption/todays_grants.h"
#include "gateway/principal/asker.h"
#include "gateway/principal/sessions.h"
#include "gateway/privacy/redaction.h"
#include "gateway/runs/execute_request.h"
#include "gateway/runs/managed_run.h"
#include "store/thread/ask_store.h"

namespace glovebox::gateway {
namespace {

namespace json = boost::json;
using store::RunStatus;

constexpr std::uint64_t kTooMuchWork = 10;  // work beside a wait, as a multiple of restless_entries

std::string context_of(const store::RunRecord& record, const RunSettings& settings, const Services& services) {
  if (settings.variables.empty()) return record.context;
  auto input = policy::parse_arguments(record.context);
  json::object values;
  for (const std::string& name : settings.variables)
    if (const auto value = services.variables(name)) values[name] = *value;
  json::object whole = input ? std::move(input).value() : json::object();
  whole["env"] = std::move(values);
  return json::serialize(whole);
}

SandboxConfig config_of(const RunSettings& settings, const Services& services) {
  SandboxConfig config = services.todays_config ? within_today(settings, services.todays_config()) : settings.config;
  if (const auto profile = todays_profile(settings, services)) profile->tighten(config);
  if (services.calls_per_run) config.max_tool_calls = std::min(config.max_tool_calls, *services.calls_per_run);
  return config;
}

// The tools of a guest.
class GuestTools final : public ToolHost {
 public:
  using OnCall = std::function<void(ToolCall call, ToolAnswer answer)>;
  // `on_end` is called only if the guest has called something.
  GuestTools(std::vector<ToolNamespace> all, OnCall on_call, std::function<void()> on_end)
      : all_(std::move(all)), on_call_(std::move(on_call)), on_end_(std::move(on_end)) {}

  std::vector<ToolNamespace> tools() const override { return all_; }
  void call(ToolCall call, ToolAnswer answer) override {
    has_called_ = true;
    on_call_(std::move(call), std::move(answer));
  }
  bool keeps_time() const override { return true; }
  void end() override {
    if (has_called_) on_end_();
  }

 private:
  std::vector<ToolNamespace> all_;
  OnCall on_call_;
  std::function<void()> on_end_;
  bool has_called_ = false;
};

// Ends of guests that are not mistakes of the program.
bool is_trouble(const RunError& error) {
  return error.code == "FORBIDDEN_SYSTEM_CALL" || error.code == "GUEST_CRASHED" || error.code == "PROTOCOL_VIOLATION";
}

// Runs of an agent in one conversation may share a guest. Code of capabilities and workflows is another author's.
std::string shared_conversation(const store::RunRecord& record, const RunSettings& settings) {
  const bool is_agents = settings.chain.empty() && settings.depth == 0 && !settings.careful;
  return is_agents && is_conversation(record.session, record.client) ? record.session : "";
}

}  // namespace

RunRequest attempt_request(const store::RunRecord& record, const RunSettings& settings, const Services& services,
                           std::vector<JournalEntry> history) {
  RunRequest request;
  request.code = record.code;
  request.language = language_of(record);
  request.name = record.name;
  request.context_json = context_of(record, settings, services);
  request.config = config_of(settings, services);
  request.client = authenticated_part(settings.principal.empty() ? record.client : settings.principal);
  request.conversation = shared_conversation(record, settings);
  request.depth = settings.depth;
  request.seed = record.seed;
  request.now_ms = record.now;
  request.history = std::move(history);
  return request;
}

void ManagedRun::run_code() {
  if (!awaits_verdict_) return begin_attempt({});
  const auto done = [weak = weak_from_this()](CodeReport report) {
    if (const auto run = weak.lock()) run->on_checked(std::move(report));
  };
  const Language language = language_of(record_);
  if (language == Language::kJavaScript) {
    // Without types there is little to find, and many findings are false.
    if (check_ != CheckMode::kStrict) {
      awaits_verdict_ = false;
      return begin_attempt({});
    }
    return boost::asio::post(services_->executor, [done] { done({{}, "JavaScript is not checked", 0}); });
  }
  spans_.check_began();
  services_->check({record_.code, language, principal()}, done);
  // Python is checked by a guest, which needs a slot: a run that holds the last slot would wait for itself.
  if (language != Language::kTypeScript) return;
  begin_attempt({});
  hold_for_a_while();
}

// If the verdict takes long, because servers have to be listed first, the run starts over after it.
void ManagedRun::hold_for_a_while() {
  verdict_timer_.expires_after(services_->times.hold_most);
  verdict_timer_.async_wait([weak = weak_from_this()](const boost::system::error_code& error) {
    const auto run = weak.lock();
    if (error || !run || !run->awaits_verdict_ || run->over_) return;
    run->note_trouble_of_held_guest();
    run->drop_attempt();
  });
}

// Refused code has done nothing, but an attack on its guest is recorded.
void ManagedRun::note_trouble_of_held_guest() {
  const RunError* const error = attempt_ && attempt_->ended ? attempt_->ended->error() : nullptr;
  if (!error || !is_trouble(*error)) return;
  services_->note(AuditEvent("run.stopped")
                      .text("run", record_.id)
                      .text("code", error->code.name())
                      .text("error", redacted_text(error->message)));
}

void ManagedRun::on_checked(CodeReport report) {
  awaits_verdict_ = false;
  verdict_timer_.cancel();
  // It may have been cancelled or have ended meanwhile.
  if (over_) return;
  check_ms_ = report.milliseconds;
  CheckVerdict verdict = judge_code(check_, std::move(report), record_.name);
  diagnostics_ = std::move(verdict.diagnostics);
  if (!diagnostics_.empty()) {
    services_->note(AuditEvent("run.checked")
                        .text("run", record_.id)
                        .text("mode", name_of(check_))
                        .number("findings", static_cast<std::int64_t>(diagnostics_.size()))
                        .text("first", redacted_text(diagnostics_.front().message))
                        .text("decision", verdict.stop ? "stopped" : "runs"));
  }
  spans_.check_ended(diagnostics_.size(), verdict.stop.has_value());
  if (!verdict.stop) return attempt_ ? let_go() : begin_attempt({});
  note_trouble_of_held_guest();
  Outcome outcome = outcome_without_guest(std::move(*verdict.stop));
  outcome.metrics.check_ms = check_ms_;
  outcome.diagnostics = diagnostics_;
  finish(RunStatus::kFailed, std::move(outcome));
}

// Releases the held attempt and its log lines.
void ManagedRun::let_go() {
  const auto self = shared_from_this();
  const auto attempt = attempt_;
  spans_.attempt_began(attempt->began_us);
  for (const LogLine& line : std::exchange(attempt->said, {})) on_log(attempt, line);
  attempt->first_call->open();
  if (auto ended = std::exchange(attempt->ended, std::nullopt)) on_done(attempt, std::move(*ended));
}

void ManagedRun::begin_attempt(std::vector<JournalEntry> history) {
  attempt_ = std::make_shared<Attempt>();
  attempt_->began_us = observe::now_us();
  attempt_->has_short_calls = services_->todays_config && call_timeout() < services_->todays_config().rpc_timeout;
  if (!awaits_verdict_) spans_.attempt_began(attempt_->began_us);
  RunRequest request = attempt_request(record_, settings_, *services_, std::move(history));
  const auto executor = services_->executor;
  // Events of a guest arrive on the Sandbox's thread and are handled on the gateway's, for their own attempt.
  const auto here = [weak = weak_from_this(), attempt = std::weak_ptr<Attempt>(attempt_), executor](auto handle) {
    boost::asio::post(executor, [weak, attempt, handle = std::move(handle)]() mutable {
      const auto run = weak.lock();
      const auto its_attempt = attempt.lock();
      if (run && its_attempt) handle(*run, its_attempt);
    });
  };
  namespaces_ = services_->tools.namespaces();
  request.tools = std::make_shared<GuestTools>(
      namespaces_,
      [here](ToolCall call, ToolAnswer answer) {
        here([call = std::move(call), answer = std::move(answer)](ManagedRun& run, const auto& attempt) mutable {
          run.on_call(attempt, std::move(call), std::move(answer));
        });
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
  request.on_log = [here](const LogLine& line) {
    here([line](ManagedRun& run, const auto& attempt) { run.on_log(attempt, line); });
  };
  request.on_line = [here](std::optional<std::size_t> before) {
    here([before](ManagedRun& run, const auto& attempt) { run.on_line(attempt, before); });
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

// The attempt ends with the run, and its calls with it.
void ManagedRun::drop_attempt() {
  if (!attempt_) return;
  uncount_waiting();
  const auto attempt = std::exchange(attempt_, nullptr);
  attempt->parking = false;
  on_attempt_over(attempt);
  if (attempt->cancel) attempt->cancel();
}

void ManagedRun::count_waiting() {
  if (!attempt_ || attempt_->parking) return;
  const bool waiting = questions_.waits();
  if (waiting == attempt_->counted_waiting) return;
  services_->live_waiting += waiting ? 1 : -1;
  attempt_->counted_waiting = waiting;
  attempt_->waits_since = std::chrono::steady_clock::now();
  attempt_->entries_before = journal_->size();
}

std::uint64_t ManagedRun::entries_since_waiting() const {
  return attempt_->counted_waiting ? journal_->size() - attempt_->entries_before : 0;
}

// Whether it has done so much since the wait began that it is parked without coming to rest.
bool ManagedRun::is_restless() const {
  if (entries_since_waiting() > services_->times.restless_entries) return true;
  const auto waited = std::chrono::steady_clock::now() - attempt_->waits_since;
  return attempt_->counted_waiting && waited > services_->times.restless_most;
}

// Whether nothing happens before a person answers. An attempt that has just begun has open calls that it has yet to
// repeat; calls that were just answered are open until the guest has the reply.
bool ManagedRun::only_waits(bool crowded) const {
  for (const auto& [call, op] : journal_->open_calls()) {
    if (op == "sleep") continue;  // continues with the next attempt
    if (op != "tool") {
      // Interrupting a request or a command fails it with OUTCOME_UNKNOWN; done only for lack of room.
      if (!crowded) return false;
    } else if (const auto passage = passage_of(call); !passage || passage->state() != ToolPassage::State::kWaiting) {
      return false;
    }
  }
  return true;
}

std::size_t ManagedRun::calls_under_way() const {
  if (!attempt_ || !journal_) return 0;
  std::size_t count = 0;
  for (const auto& [call, op] : journal_->open_calls()) {
    const auto passage = op == "tool" ? passage_of(call) : nullptr;
    const bool waits = op == "sleep" || (passage && passage->state() == ToolPassage::State::kWaiting);
    if (!waits) ++count;
  }
  return count;
}

void ManagedRun::park_if_idle() {
  if (!attempt_ || attempt_->parking || over_ || !questions_.waits() || questions_.is_gathering()) return;
  if (!journal_->is_kept()) return;
  const bool all_wait = std::all_of(attempt_->passages.begin(), attempt_->passages.end(), [](const auto& item) {
    return item.second->state() == ToolPassage::State::kWaiting;
  });
  // Other work may continue for a while; a program that never finishes it loses its process.
  const bool crowded = services_->live_waiting > services_->times.most_live_waiting ||
                       entries_since_waiting() > kTooMuchWork * services_->times.restless_entries;
  const auto quiet = std::chrono::steady_clock::now() - journal_->last_entry();
  const auto rest = is_restless() ? std::chrono::milliseconds(0)
                    : crowded     ? services_->times.gather / 2
                                  : services_->times.park_after;
  if (!all_wait || quiet < rest || !only_waits(crowded)) return;
  // The journal is written until the guest is gone, and nothing else happens until then: so the next attempt knows what
  // the guest still did.
  attempt_->parking = true;
  uncount_waiting();
  attempt_->cancel();
}

void ManagedRun::uncount_waiting() {
  if (attempt_ && std::exchange(attempt_->counted_waiting, false)) --services_->live_waiting;
}

void ManagedRun::parked() {
  attempt_ = nullptr;
  services_->note(AuditEvent("run.parked").text("run", record_.id));
  save_trace();
  // A person may have answered meanwhile, and that answer has not been used yet.
  if (std::exchange(wake_when_parked_, false)) wake();
}

void ManagedRun::wake() {
  if (over_) return;
  if (attempt_) {
    wake_when_parked_ = attempt_->parking;
    return;
  }
  if (std::exchange(wakes_, true)) return;
  // It has waited for a person; it can wait for the store.
  store::ask_store_until_back(
      services_->store, services_->executor, weak_from_this(),
      [run = record_.id](store::Store& store) { return RunJournal::read(store, run); },
      [this](Result<RunJournal::Stored> stored) {
        wakes_ = false;
        if (over_) return;
        if (!stored) return end_with("STORE_UNAVAILABLE", stored.failure().message);
        services_->note(AuditEvent("run.resumed").text("run", record_.id));
        begin_attempt(journal_->load(std::move(stored).value()));
      });
}

}  // namespace glovebox::gateway
