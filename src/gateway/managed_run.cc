#include "gateway/managed_run.h"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <set>

#include "base/try.h"
#include "gateway/words.h"

namespace glovebox::gateway {
namespace {

using policy::Verdict;
using store::RunStatus;

// On a card; what was earlier is in the audit log.
constexpr std::size_t kMostBefore = 50;
// Arguments on one card; nobody reads more at once. Further calls get a card of their own.
constexpr std::size_t kMostCardBytes = std::size_t{4} << 20;
// Arguments of all calls of a run that people are asked about: they are kept until the run ends.
constexpr std::size_t kMostAskedBytes = std::size_t{64} << 20;

Outcome failed_outcome(const char* code, const std::string& message, const store::RunRecord& record) {
  Outcome outcome;
  outcome.ending = Crashed{{ErrorType::kSandboxError, code, message, "", std::nullopt}};
  outcome.metrics.seed = record.seed;
  outcome.metrics.now_ms = record.now;
  return outcome;
}

Language language_of(const std::string& name) {
  return name == "js" ? Language::kJavaScript : Language::kTypeScript;
}

}  // namespace

// The run as its guest's host, on the Sandbox's thread.
class ManagedRun::Tools final : public ToolHost {
 public:
  Tools(std::weak_ptr<ManagedRun> run, std::weak_ptr<Life> life, const Services& services)
      : run_(std::move(run)),
        life_(std::move(life)),
        executor_(services.executor),
        namespaces_(services.tools.namespaces()) {}

  std::vector<ToolNamespace> tools() const override { return namespaces_; }

  void call(ToolCall call, ToolAnswer answer) override {
    boost::asio::post(executor_, [run = run_, life = life_, call = std::move(call), answer]() mutable {
      const auto alive = run.lock();
      const auto its_life = life.lock();
      if (alive && its_life) alive->on_call(its_life, std::move(call), std::move(answer));
    });
  }

  void end() override {
    boost::asio::post(executor_, [run = run_, life = life_] {
      const auto alive = run.lock();
      const auto its_life = life.lock();
      if (alive && its_life) alive->on_life_over(its_life);
    });
  }

 private:
  std::weak_ptr<ManagedRun> run_;
  std::weak_ptr<Life> life_;
  boost::asio::any_io_executor executor_;
  std::vector<ToolNamespace> namespaces_;
};

ManagedRun::ManagedRun(std::shared_ptr<Services> services, store::RunRecord record, RunSettings settings,
                       std::function<void()> on_over)
    : services_(std::move(services)),
      record_(std::move(record)),
      settings_(std::move(settings)),
      on_over_(std::move(on_over)),
      gather_timer_(services_->executor) {
  if (settings_.tools) {
    for (const std::string& text : *settings_.tools) {
      auto pattern = policy::ToolPattern::parse(text, services_->workspace);
      if (pattern) limited_to_.add({Verdict::kAllow, std::move(pattern).value(), "request"});
    }
  }
}

ManagedRun::~ManagedRun() = default;

void ManagedRun::start() {
  // The layer of an overlay is lost with its guest: such a run waits with its process.
  const bool replayable = settings_.sandbox.file_mode == FileMode::kDirect;
  journal_ =
      std::make_shared<RunJournal>(services_->store, record_.id, replayable,
                                   [weak = weak_from_this(), executor = services_->executor](const Failure& failure) {
                                     boost::asio::post(executor, [weak, message = failure.message] {
                                       if (const auto run = weak.lock()) run->end_with("STORE_UNAVAILABLE", message);
                                     });
                                   });
  load_rules();
  live({});
}

Result<void> ManagedRun::take_up() {
  journal_ =
      std::make_shared<RunJournal>(services_->store, record_.id, true,
                                   [weak = weak_from_this(), executor = services_->executor](const Failure& failure) {
                                     boost::asio::post(executor, [weak, message = failure.message] {
                                       if (const auto run = weak.lock()) run->end_with("STORE_UNAVAILABLE", message);
                                     });
                                   });
  load_rules();
  const auto history = GLOVEBOX_TRY(journal_->load());
  reload_asked();
  for (const auto& [call, asked] : asked_) {
    if (!asked.call.approved || journal_->was_begun(call)) continue;
    services_->note(AuditEvent("approval.found")
                        .text("approval", asked.approval)
                        .text("run", record_.id)
                        .number("call", static_cast<std::int64_t>(call))
                        .text("approver", asked.who)
                        .text("channel", asked.channel)
                        .text("decision", *asked.call.approved ? "approved" : "denied"));
  }
  if (has_open_call(history, asked_)) {
    live(history);
  } else {
    reconsider();
  }
  return {};
}

bool ManagedRun::has_open_call(const std::vector<JournalEntry>& history, const std::map<std::uint64_t, Asked>& asked) {
  std::set<std::uint64_t> open;
  for (const JournalEntry& entry : history) {
    if (entry.kind == JournalEntry::Kind::kCall) open.insert(entry.call_id);
    if (entry.kind == JournalEntry::Kind::kReply) open.erase(entry.call_id);
  }
  return open.empty() || std::any_of(open.begin(), open.end(), [&](std::uint64_t call) {
           const auto found = asked.find(call);
           return found == asked.end() || found->second.call.approved;
         });
}

void ManagedRun::load_rules() {
  remembered_ = {};
  const auto rules = services_->store.rules_for(record_.id, record_.session);
  if (!rules) return;
  for (const store::RememberedRule& rule : rules.value()) {
    auto pattern = policy::ToolPattern::parse(rule.pattern, services_->workspace);
    if (!pattern) continue;
    remembered_.add({Verdict::kAllow, std::move(pattern).value(), std::string(name_of(rule.scope))});
  }
}

void ManagedRun::reload_asked() {
  const auto approvals = services_->store.approvals(record_.id, false);
  if (!approvals) return;
  for (const store::ApprovalRecord& approval : approvals.value()) {
    if (approval.state == store::ApprovalRecord::State::kWithdrawn) continue;
    const auto answers = services_->store.answers_to(approval.id);
    for (const store::ApprovalCall& call : approval.calls) {
      Asked asked{approval.id, call, "", ""};
      for (const store::AnswerRecord& answer : answers ? answers.value() : std::vector<store::AnswerRecord>()) {
        if (std::find(answer.calls.begin(), answer.calls.end(), call.call) == answer.calls.end()) continue;
        asked.who = answer.who;
        asked.channel = answer.channel;
      }
      asked_[call.call] = std::move(asked);
    }
  }
}

void ManagedRun::live(std::vector<JournalEntry> history) {
  life_ = std::make_shared<Life>();
  RunRequest request;
  request.code = record_.code;
  request.language = language_of(record_.language);
  request.name = record_.name;
  request.context_json = record_.context;
  request.config = settings_.sandbox;
  request.seed = record_.seed;
  request.now_ms = record_.now;
  request.history = std::move(history);
  request.tools = std::make_shared<Tools>(weak_from_this(), life_, *services_);
  request.on_journal = [journal = journal_](JournalEntry entry) { journal->add(std::move(entry)); };
  const auto executor = services_->executor;
  request.on_log = [weak = weak_from_this(), life = std::weak_ptr<Life>(life_), executor](const LogLine& line) {
    boost::asio::post(executor, [weak, life, line] {
      const auto run = weak.lock();
      const auto its_life = life.lock();
      if (run && its_life) run->on_log(its_life, line);
    });
  };
  // The life is kept by its end, so that the end of a parked one is known.
  life_->cancel = services_->runner.submit(
      std::move(request), [weak = weak_from_this(), life = life_, services = services_, executor](Outcome outcome) {
        boost::asio::post(executor, [weak, life, outcome = std::make_shared<Outcome>(std::move(outcome))] {
          if (const auto run = weak.lock()) run->on_done(life, std::move(*outcome));
        });
      });
}

void ManagedRun::wake() {
  if (over_) return;
  if (life_) {
    wake_when_parked_ = life_->parking;
    return;
  }
  auto history = journal_->load();
  if (!history) return end_with("STORE_UNAVAILABLE", history.failure().message);
  services_->note(AuditEvent("run.resumed").text("run", record_.id));
  live(std::move(history).value());
}

void ManagedRun::on_call(const std::shared_ptr<Life>& life, ToolCall call, ToolAnswer answer) {
  if (life != life_ || life->parking || over_) {
    // An answer that is dropped is a failure, and that would be in the journal.
    life->unanswered.push_back(std::move(answer));
    return;
  }
  const std::uint64_t id = call.id;
  const auto passage = std::make_shared<ToolPassage>(services_, weak_from_this(), std::move(call), std::move(answer));
  life->passages[id] = passage;
  passage->start();
}

void ManagedRun::on_life_over(const std::shared_ptr<Life>& life) {
  if (life->parking) return;
  auto passages = std::exchange(life->passages, {});
  for (const auto& [id, passage] : passages) passage->give_up();
}

void ManagedRun::on_log(const std::shared_ptr<Life>& life, const LogLine& line) {
  // A later life says again what an earlier one said.
  if (++life->logs <= logs_told_) return;
  logs_told_ = life->logs;
  const auto listeners = listeners_;
  for (const auto& [id, events] : listeners) {
    if (events.on_log) events.on_log(line);
  }
}

policy::ToolDecision ManagedRun::decide(const std::string& server, const std::string& tool,
                                        const std::string& arguments) const {
  if (settings_.tools && limited_to_.decide(server, tool, arguments).verdict != Verdict::kAllow) {
    policy::ToolDecision decision;
    decision.verdict = Verdict::kDeny;
    decision.rule = "tools";
    decision.origin = "request";
    decision.explanation = server + ":" + tool + " is not among the tools that this run was asked to use.";
    return decision;
  }
  policy::ToolDecision decision = services_->rules.decide(server, tool, arguments);
  if (decision.verdict != Verdict::kAsk) return decision;
  // Somebody has been asked before, and has said yes for more than those calls.
  policy::ToolDecision again = remembered_.decide(server, tool, arguments);
  return again.verdict == Verdict::kAllow ? again : decision;
}

PassageRun::Said ManagedRun::said_about(std::uint64_t call, const catalog::Tool& tool, const std::string& arguments) {
  const auto found = asked_.find(call);
  if (found == asked_.end()) return {};
  const Asked& asked = found->second;
  if (asked.call.server != tool.server || asked.call.tool != tool.name || asked.call.arguments != arguments ||
      asked.call.tool_hash != tool.hash) {
    // What the person saw is not what would be called.
    (void)services_->store.withdraw_call(asked.approval, call).ok();
    asked_.erase(found);
    return {};
  }
  count_waiting();
  Said said{Said::Kind::kPending, asked.approval, asked.who, asked.channel, asked.call.reason};
  if (asked.call.approved) said.kind = *asked.call.approved ? Said::Kind::kApproved : Said::Kind::kDenied;
  return said;
}

void ManagedRun::ask(std::shared_ptr<ToolPassage> passage, std::string why) {
  const std::size_t bytes = passage->call().arguments_json.size();
  if (asked_bytes_ + bytes > kMostAskedBytes) {
    return passage->fail({ToolFailure::Kind::kToolError, "APPROVAL_LIMIT",
                          "the arguments of all calls that this run asks about are beyond " +
                              std::to_string(kMostAskedBytes >> 20) + " MB"});
  }
  asked_bytes_ += bytes;
  if (gathering_bytes_ + bytes > kMostCardBytes) close_card();
  gathering_bytes_ += bytes;
  const auto now = std::chrono::steady_clock::now();
  if (gathering_.empty()) gathering_since_ = now;
  gathering_.emplace_back(std::move(passage), std::move(why));
  if (!plan_asked_ && services_->plan) {
    plan_asked_ = true;
    services_->plan(record_.code, language_of(record_.language), [weak = weak_from_this()](std::string plan) {
      if (const auto run = weak.lock()) run->plan_ = std::move(plan);
    });
  }
  const auto latest = gathering_since_ + services_->times.gather_most;
  gather_timer_.expires_at(std::min(now + services_->times.gather, latest));
  gather_timer_.async_wait([weak = weak_from_this()](const boost::system::error_code& error) {
    const auto run = weak.lock();
    if (!error && run) run->close_card();
  });
}

void ManagedRun::close_card() {
  auto gathered = std::exchange(gathering_, {});
  gathering_bytes_ = 0;
  std::erase_if(gathered, [](const auto& item) { return item.first->state() != ToolPassage::State::kWaiting; });
  if (gathered.empty() || over_) return;
  const auto refuse = [&](const Failure& failure) {
    for (const auto& [passage, why] : gathered) {
      passage->fail({ToolFailure::Kind::kToolError, "STORE_UNAVAILABLE", failure.message});
    }
  };
  CardInput input{random_id("ap_"), services_->now(), record_, services_->workspace, {}, before_, plan_};
  store::ApprovalRecord approval{input.id, record_.id, input.created, "tool_calls", "", {}, {}};
  for (const auto& [passage, why] : gathered) {
    const catalog::Tool& tool = passage->tool();
    const ToolCall& call = passage->call();
    input.calls.push_back({call.id, tool, call.arguments_json, why});
    approval.calls.push_back({call.id, tool.server, tool.name, call.arguments_json, tool.hash, std::nullopt, ""});
  }
  const ApprovalCard card = make_card(input);
  approval.card = card.json;
  if (const auto kept = journal_->keep(); !kept) return refuse(kept.failure());
  if (const auto added = services_->store.add_approval(approval); !added) return refuse(added.failure());
  for (const store::ApprovalCall& call : approval.calls) asked_[call.call] = {approval.id, call, "", ""};
  record_.status = RunStatus::kWaiting;
  services_->note(AuditEvent("approval.asked")
                      .text("approval", approval.id)
                      .text("run", record_.id)
                      .text("title", card.title)
                      .number("calls", static_cast<std::int64_t>(approval.calls.size())));
  count_waiting();
  const auto listeners = listeners_;
  for (const auto& [id, events] : listeners) {
    if (events.on_waiting) events.on_waiting(card);
  }
  if (services_->live_waiting > services_->times.most_live_waiting) park_if_idle();
}

bool ManagedRun::waits() const {
  return std::any_of(asked_.begin(), asked_.end(), [](const auto& item) { return !item.second.call.approved; });
}

void ManagedRun::count_waiting() {
  if (!life_ || life_->parking) return;
  const bool waiting = waits();
  if (waiting != life_->counted_waiting) services_->live_waiting += waiting ? 1 : -1;
  life_->counted_waiting = waiting;
}

void ManagedRun::apply(const store::AnswerRecord& answer) {
  if (over_) return;
  AuditEvent record("approval.answered");
  std::string calls = "[";
  for (const std::uint64_t call : answer.calls) calls.append(calls.size() > 1 ? "," : "").append(std::to_string(call));
  record.text("approval", answer.approval).text("run", record_.id).json("calls", calls + "]");
  record.text("approver", answer.who).text("channel", answer.channel).text("scope", name_of(answer.scope));
  record.text("decision", answer.approved ? "approved" : "denied");
  if (!answer.reason.empty()) record.text("reason", answer.reason);
  for (const std::string& rule : answer.rules) record.text("rule", rule);
  services_->note(record);

  load_rules();
  bool any = false;
  std::vector<std::shared_ptr<ToolPassage>> ready;
  for (const std::uint64_t call : answer.calls) {
    const auto asked = asked_.find(call);
    if (asked == asked_.end() || asked->second.approval != answer.approval || asked->second.call.approved) continue;
    asked->second.call.approved = answer.approved;
    asked->second.call.reason = answer.reason;
    asked->second.who = answer.who;
    asked->second.channel = answer.channel;
    any = true;
    if (!life_ || life_->parking) continue;
    if (const auto passage = life_->passages.find(call); passage != life_->passages.end()) {
      ready.push_back(passage->second);
    }
  }
  if (any && !waits()) {
    record_.status = RunStatus::kRunning;
    (void)services_->store.set_status(record_.id, RunStatus::kRunning).ok();
  }
  count_waiting();
  for (const auto& passage : ready) passage->resume();
  if (any) wake();
}

void ManagedRun::reconsider() {
  if (over_) return;
  load_rules();
  std::vector<std::uint64_t> decided;
  for (const auto& [call, asked] : asked_) {
    if (asked.call.approved) continue;
    if (decide(asked.call.server, asked.call.tool, asked.call.arguments).verdict != Verdict::kAsk)
      decided.push_back(call);
  }
  if (decided.empty()) return;
  std::vector<std::shared_ptr<ToolPassage>> ready;
  for (const std::uint64_t call : decided) {
    (void)services_->store.withdraw_call(asked_[call].approval, call).ok();
    asked_.erase(call);
    if (!life_ || life_->parking) continue;
    if (const auto passage = life_->passages.find(call); passage != life_->passages.end()) {
      ready.push_back(passage->second);
    }
  }
  if (!waits()) {
    record_.status = RunStatus::kRunning;
    (void)services_->store.set_status(record_.id, RunStatus::kRunning).ok();
  }
  count_waiting();
  for (const auto& passage : ready) passage->resume();
  wake();
}

void ManagedRun::park_if_idle() {
  if (!life_ || life_->parking || over_ || !waits() || !gathering_.empty() || !journal_->is_kept()) return;
  const bool all_wait = std::all_of(life_->passages.begin(), life_->passages.end(), [](const auto& item) {
    return item.second->state() == ToolPassage::State::kWaiting;
  });
  const bool crowded = services_->live_waiting > services_->times.most_live_waiting;
  const auto quiet = std::chrono::steady_clock::now() - journal_->last_entry();
  if (!all_wait || quiet < (crowded ? services_->times.gather / 2 : services_->times.park_after)) return;
  // The journal is written until the guest is gone, and until then nothing else happens: what it still does is known to
  // the next life.
  life_->parking = true;
  uncount_waiting();
  life_->cancel();
}

void ManagedRun::uncount_waiting() {
  if (life_ && std::exchange(life_->counted_waiting, false)) --services_->live_waiting;
}

// The run ends, and its calls with it.
void ManagedRun::give_up_life() {
  if (!life_) return;
  uncount_waiting();
  const auto life = std::exchange(life_, nullptr);
  life->parking = false;
  on_life_over(life);
  if (life->cancel) life->cancel();
}

bool ManagedRun::has_room() const {
  return !services_->concurrent_per_run || under_way_ < *services_->concurrent_per_run;
}

void ManagedRun::passage_ended(ToolPassage& passage, bool was_under_way, std::string entry) {
  if (was_under_way) --under_way_;
  if (over_) return;
  if (life_) life_->passages.erase(passage.call().id);
  before_.push_back(std::move(entry));
  if (before_.size() > kMostBefore) before_.erase(before_.begin());
}

void ManagedRun::tell_progress(std::string_view message) {
  const auto listeners = listeners_;
  for (const auto& [id, events] : listeners) {
    if (events.on_progress) events.on_progress(message);
  }
}

bool ManagedRun::ask_client(std::string_view method, std::string_view params, catalog::AnswerQuestion& answer) {
  // Whoever came last is still there; earlier ones may only be waiting for the end.
  for (auto listener = listeners_.rbegin(); listener != listeners_.rend(); ++listener) {
    const auto ask = listener->second.on_question;
    if (!ask) continue;
    ask(method, params, std::move(answer));
    return true;
  }
  return false;
}

std::uint64_t ManagedRun::attach(RunEvents events) {
  const std::uint64_t listener = next_listener_++;
  const auto on_waiting = events.on_waiting;
  listeners_[listener] = std::move(events);
  if (!on_waiting || !waits()) return listener;
  // What it waits for is told to each that comes.
  const auto approvals = services_->store.approvals(record_.id, true);
  if (!approvals) return listener;
  for (const store::ApprovalRecord& approval : approvals.value()) {
    ApprovalCard card{approval.id, record_.id, "", approval.card};
    boost::asio::post(services_->executor, [weak = weak_from_this(), listener, card = std::move(card)] {
      const auto run = weak.lock();
      if (!run || !run->listeners_.contains(listener)) return;
      const auto tell = run->listeners_[listener].on_waiting;
      tell(card);
    });
  }
  return listener;
}

void ManagedRun::on_done(const std::shared_ptr<Life>& life, Outcome outcome) {
  if (over_ || life != life_) return;
  const RunError* error = outcome.error();
  const bool cancelled = error && error->code == "CANCELLED";
  // One that comes to its end while it is being parked has ended.
  if (life->parking && cancelled && !cancelling_) return parked();
  auto json = to_json(outcome);
  const RunStatus status = outcome.ok() ? RunStatus::kFinished : cancelled ? RunStatus::kCancelled : RunStatus::kFailed;
  finish(status, std::move(json), std::make_shared<const Outcome>(std::move(outcome)));
}

void ManagedRun::parked() {
  life_ = nullptr;
  services_->note(AuditEvent("run.parked").text("run", record_.id));
  // Somebody may have answered meanwhile, and that answer is yet to be used.
  if (std::exchange(wake_when_parked_, false)) wake();
}

void ManagedRun::cancel() {
  if (over_) return;
  cancelling_ = true;
  // A guest says itself how far it came.
  if (life_ && life_->cancel) return life_->cancel();
  const Outcome outcome = failed_outcome("CANCELLED", "the run was cancelled", record_);
  finish(RunStatus::kCancelled, to_json(outcome), std::make_shared<const Outcome>(outcome));
}

void ManagedRun::end_with(const char* code, const std::string& message) {
  if (over_) return;
  const Outcome outcome = failed_outcome(code, message, record_);
  finish(RunStatus::kFailed, to_json(outcome), std::make_shared<const Outcome>(outcome));
}

void ManagedRun::leave() {
  const auto self = shared_from_this();
  if (over_) return;
  if (!journal_ || !journal_->is_kept()) return end_with("GATEWAY_CLOSED", "the gateway was closed");
  over_ = true;
  gather_timer_.cancel();
  uncount_waiting();
  // Its calls are not given up: a call that ends as given up would be one that the next life need not wonder about.
  if (life_) life_->cancel();
}

void ManagedRun::finish(RunStatus status, std::string outcome_json, std::shared_ptr<const Outcome> outcome) {
  const auto self = shared_from_this();
  over_ = true;
  gather_timer_.cancel();
  give_up_life();
  record_.status = status;
  AuditEvent event("run.ended");
  event.text("run", record_.id).text("client", record_.client).text("status", name_of(status));
  if (const RunError* error = outcome->error()) event.text("code", error->code);
  services_->note(event.milliseconds("durationMs", static_cast<double>(services_->now() - record_.created)));
  const auto ended = services_->store.end_run(record_.id, status, outcome_json, services_->now());
  if (!ended && services_->on_notice) services_->on_notice(ended.failure().message);
  const RunEnd end{record_.id, status, std::move(outcome_json), std::move(outcome)};
  const auto listeners = std::exchange(listeners_, {});
  for (const auto& [id, events] : listeners) {
    if (events.on_end) events.on_end(end);
  }
  if (on_over_) on_over_();
}

}  // namespace glovebox::gateway
