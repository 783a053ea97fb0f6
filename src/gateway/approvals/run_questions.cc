#include "gateway/approvals/run_questions.h"

#include <algorithm>
#include <boost/asio/post.hpp>

#include "base/random.h"
#include "base/text/json_builder.h"
#include "gateway/privacy/redaction.h"
#include "gateway/runs/execute_request.h"

namespace glovebox::gateway {
namespace {

// On a request; earlier entries are in the audit log.
constexpr std::size_t kMostBefore = 50;
// Arguments and descriptions on one request; a person reads no more at once. Further calls get another request.
constexpr std::size_t kMostRequestBytes = std::size_t{4} << 20;
// All requests of a run, each with the code, the tools' descriptions and what ran before: they are kept until the run
// ends.
constexpr std::size_t kMostAskedBytes = std::size_t{64} << 20;
// Between polls for the plan.
constexpr std::chrono::milliseconds kPlanPause{20};

}  // namespace

RunQuestions::RunQuestions(std::shared_ptr<Services> services, const store::RunRecord& record, RunSpans& spans,
                           AskingRun run)
    : services_(std::move(services)),
      record_(record),
      spans_(spans),
      run_(std::move(run)),
      gather_timer_(services_->executor) {}

Result<RunQuestions::Stored> RunQuestions::read(store::Store& store, const std::string& run) {
  Stored stored;
  for (store::ApprovalRecord& approval : GLOVEBOX_TRY(store.approvals(run, false))) {
    auto answers = GLOVEBOX_TRY(store.answers_to(approval.id));
    stored.emplace_back(std::move(approval), std::move(answers));
  }
  return stored;
}

void RunQuestions::load(const Stored& stored) {
  for (const auto& [approval, answers] : stored) {
    if (approval.state == store::ApprovalRecord::State::kWithdrawn) continue;
    for (const store::ApprovalCall& call : approval.calls) {
      held_.push_back(services_->asked_bytes->hold(record_.holder, call.arguments.size()));
      Asked asked{approval.id, call, "", "", approval.created};
      for (const store::AnswerRecord& answer : answers) {
        if (std::find(answer.calls.begin(), answer.calls.end(), call.call) == answer.calls.end()) continue;
        asked.who = answer.who;
        asked.channel = answer.channel;
      }
      asked_[call.call] = std::move(asked);
    }
  }
}

// A person who is asked about a call, or reads the audit log later, sees what else the program can do. That takes a
// guest that reads the code, so it is not done for every run.
void RunQuestions::note_plan() {
  if (plan_asked_ || !services_->plan) return;
  plan_asked_ = plan_is_awaited_ = true;
  services_->plan(record_.code, language_of(record_), [this, alive = run_.alive()](std::string plan) {
    const auto run = alive.lock();
    if (!run) return;
    plan_is_awaited_ = false;
    plan_ = std::move(plan);
    if (plan_.empty()) return;
    services_->note(AuditEvent("run.planned").text("run", record_.id).json("plan", plan_));
  });
}

Said RunQuestions::said_about(std::uint64_t call, const catalog::Tool& tool, const std::string& arguments) {
  const auto found = asked_.find(call);
  if (found == asked_.end()) return {};
  const Asked& asked = found->second;
  if (asked.call.server != tool.server || asked.call.tool != tool.name || asked.call.arguments != arguments ||
      asked.call.tool_hash != tool.hash) {
    // What the person saw is not what would be called.
    withdraw(asked.approval, call);
    asked_.erase(found);
    return {};
  }
  Said said{Said::Kind::kPending, asked.approval, asked.who, asked.channel, asked.call.reason};
  if (asked.call.approved) said.kind = *asked.call.approved ? Said::Kind::kApproved : Said::Kind::kDenied;
  return said;
}

void RunQuestions::ask(std::shared_ptr<ToolPassage> passage, std::string why,
                       std::optional<catalog::ToolSource::Need> need) {
  const catalog::Tool& tool = passage->tool();
  const std::size_t bytes = passage->call().arguments_json.size() + tool.title.size() + tool.description.size();
  auto held = services_->asked_bytes->hold(record_.holder, bytes);
  if (!held || asked_bytes_ + bytes > kMostAskedBytes) {
    return passage->fail({ToolFailure::Kind::kToolError, "APPROVAL_LIMIT",
                          "this client's runs ask about more than a gateway keeps; answer or cancel some first"});
  }
  held_.push_back(std::move(held));
  asked_bytes_ += bytes;
  if (gathering_bytes_ + bytes > kMostRequestBytes || need) close_request();
  gathering_bytes_ += bytes;
  const auto now = Clock::now();
  if (gathering_.empty()) gathering_since_ = now;
  gathering_.emplace_back(std::move(passage), std::move(why));
  note_plan();
  if (need) {
    // A need gets a request of its own, so that it is not mistaken for a question about other calls.
    gathering_need_ = std::move(need);
    return close_request();
  }
  close_request_at(std::min(now + services_->times.gather, gathering_since_ + services_->times.gather_most));
}

void RunQuestions::close_request_at(Clock::time_point when) {
  gather_timer_.expires_at(when);
  gather_timer_.async_wait([this, alive = run_.alive()](const boost::system::error_code& error) {
    const auto run = alive.lock();
    if (error || !run) return;
    const auto now = Clock::now();
    // A person who decides should see the plan, and a busy machine may need time to make it.
    const bool may_come = plan_is_awaited_ && now < gathering_since_ + services_->times.plan_most;
    if (may_come) return close_request_at(now + kPlanPause);
    close_request();
  });
}

void RunQuestions::close_request() {
  auto gathered = std::exchange(gathering_, {});
  const auto need = std::exchange(gathering_need_, std::nullopt);
  const std::size_t counted = std::exchange(gathering_bytes_, 0);
  gather_timer_.cancel();
  std::erase_if(gathered, [](const auto& item) { return item.first->state() != ToolPassage::State::kWaiting; });
  if (gathered.empty() || stopped_) return;
  RequestInput input{base::random_id("ap_"),  services_->now(), record_, services_->workspace, {}, before_, plan_, need,
                     std::exchange(since_, 0)};
  store::ApprovalRecord approval{input.id, record_.id, input.created, need ? need->kind : "tool_calls", "", {}, {}};
  for (const auto& [passage, why] : gathered) {
    const catalog::Tool& tool = passage->tool();
    const ToolCall& call = passage->call();
    input.calls.push_back({call.id, tool, call.arguments_json, why});
    approval.calls.push_back({call.id, tool.server, tool.name, call.arguments_json, tool.hash, std::nullopt, ""});
  }
  const ApprovalRequest request = make_approval_request(input);
  asked_bytes_ += request.json.size() - std::min(counted, request.json.size());
  approval.card = request.json;
  Calls calls;
  for (const auto& [passage, why] : gathered) calls.emplace_back(passage->call().id, passage);
  if (const auto kept = run_.keep_for_later(); !kept)
    return on_added(approval, request, calls, Failure{ErrorCode::kSystem, kept.failure().message});
  for (const store::ApprovalCall& call : approval.calls) asked_[call.call] = {approval.id, call, "", "", input.created};
  for (const store::ApprovalCall& call : approval.calls) spans_.approval_asked(call.call, approval.id);
  // A person is asked only once the request is in the store: an answer is a row there.
  services_->store.post_write(
      [approval, most = services_->waiting_per_client](auto& store) { return store.add_approval(approval, most); },
      [this, alive = run_.alive(), executor = services_->executor, approval, request, calls](Result<void> added) {
        if (alive.expired()) return;
        boost::asio::post(executor, [this, alive, approval, request, calls, added = std::move(added)] {
          if (const auto run = alive.lock()) on_added(approval, request, calls, added);
        });
      });
}

void RunQuestions::on_added(const store::ApprovalRecord& approval, const ApprovalRequest& request, const Calls& calls,
                            const Result<void>& added) {
  if (stopped_) return;
  if (!added) {
    const bool is_limit = added.failure().code == ErrorCode::kInvalidArgument;
    const FailureCode word = is_limit ? FailureCode("APPROVAL_LIMIT") : FailureCode("STORE_UNAVAILABLE");
    for (const auto& [id, weak] : calls) {
      asked_.erase(id);
      const auto passage = weak.lock();
      if (passage) passage->fail({ToolFailure::Kind::kToolError, word, added.failure().message});
    }
    return;
  }
  services_->note(AuditEvent("approval.asked")
                      .text("approval", request.id)
                      .text("run", record_.id)
                      .text("title", redacted_text(request.title))
                      .number("calls", static_cast<std::int64_t>(calls.size())));
  services_->say(observe::Level::kInfo, "a person is asked",
                 {{"run", record_.id}, {"approval", request.id}, {"title", redacted_text(request.title)}});
  if (services_->on_asked) services_->on_asked(record_, approval);
  run_.on_asked(request);
}

void RunQuestions::withdraw(const std::string& approval, std::uint64_t call) {
  services_->store.post_write([approval, call](store::Store& store) { return store.withdraw_call(approval, call); },
                              nullptr);
}

std::vector<std::uint64_t> RunQuestions::apply(const store::AnswerRecord& answer) {
  AuditEvent record("approval.answered");
  base::ListText calls;
  for (const std::uint64_t call : answer.calls) calls.json(std::to_string(call));
  record.text("approval", answer.approval).text("run", record_.id).json("calls", calls.done());
  record.text("approver", answer.who).text("channel", answer.channel).text("scope", name_of(answer.scope));
  record.text("decision", answer.approved ? "approved" : "denied");
  if (!answer.reason.empty()) record.text("reason", redacted_text(answer.reason));
  if (!answer.rules.empty()) record.json("rules", base::text_list(answer.rules));
  services_->note(record);

  std::vector<std::uint64_t> answered;
  for (const std::uint64_t call : answer.calls) {
    const auto asked = asked_.find(call);
    if (asked == asked_.end() || asked->second.approval != answer.approval) continue;
    // The first answer counts, except that an approval can be revoked: the store accepts no other.
    const std::optional<bool> before = asked->second.call.approved;
    if (before && (!*before || answer.approved)) continue;
    asked->second.call.approved = answer.approved;
    asked->second.call.reason = answer.reason;
    spans_.approval_answered(call, answer.approved ? "approved" : "denied");
    asked->second.who = answer.who;
    asked->second.channel = answer.channel;
    if (answered.empty() && !before)
      services_->meters->approval_wait_ms.observe(static_cast<double>(services_->now() - asked->second.since));
    answered.push_back(call);
  }
  return answered;
}

std::vector<std::uint64_t> RunQuestions::withdraw_unless(
    const std::function<bool(const store::ApprovalCall&)>& must_ask) {
  std::vector<std::uint64_t> decided;
  for (const auto& [call, asked] : asked_) {
    if (asked.call.approved) continue;
    if (!must_ask(asked.call)) decided.push_back(call);
  }
  for (const std::uint64_t call : decided) {
    withdraw(asked_[call].approval, call);
    spans_.approval_answered(call, "withdrawn");
    asked_.erase(call);
  }
  return decided;
}

void RunQuestions::stop() {
  stopped_ = true;
  gather_timer_.cancel();
}

void RunQuestions::ran_before(std::string entry) {
  before_.push_back(std::move(entry));
  ++since_;
  if (before_.size() > kMostBefore) before_.erase(before_.begin());
}

bool RunQuestions::waits() const {
  return std::any_of(asked_.begin(), asked_.end(), [](const auto& item) { return !item.second.call.approved; });
}

bool RunQuestions::waits(std::uint64_t call) const {
  const auto asked = asked_.find(call);
  return asked != asked_.end() && !asked->second.call.approved;
}

}  // namespace glovebox::gateway
