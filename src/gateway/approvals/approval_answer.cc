#include "gateway/approvals/approval_answer.h"

#include <algorithm>
#include <boost/json.hpp>

#include "base/digest.h"
#include "base/try.h"
#include "gateway/adoption/liveness.h"
#include "gateway/gateway.h"
#include "mcp/json/json_tree.h"
#include "policy/tool_rules.h"
#include "store/thread/ask_store.h"

namespace glovebox::gateway {
namespace {

namespace json = boost::json;

constexpr std::size_t kMostReason = 2000;

// The open calls that the answer is about.
std::vector<store::ApprovalCall> meant(const store::ApprovalRecord& approval, const ApprovalAnswer& answer) {
  std::vector<store::ApprovalCall> calls;
  for (const store::ApprovalCall& call : approval.calls) {
    const bool named = std::find(answer.calls.begin(), answer.calls.end(), call.call) != answer.calls.end();
    if (!call.approved && (answer.calls.empty() || named)) calls.push_back(call);
  }
  return calls;
}

// The rules that the request offers for an approval beyond these calls; they are for all its calls together.
Result<std::vector<std::string>> rules_on_request(const store::ApprovalRecord& approval,
                                                  const std::vector<store::ApprovalCall>& calls) {
  const Failure none{ErrorCode::kInvalidArgument,
                     "the request offers no rule for these calls: approve them once, or write a rule yourself"};
  const auto request = mcp::parse_object(approval.card);
  const json::value* groups = request ? request->if_contains("groups") : nullptr;
  if (!groups || !groups->is_array()) return none;
  std::vector<std::string> rules;
  std::uint64_t covered = 0;
  for (const json::value& group : groups->get_array()) {
    const json::value* rule = group.is_object() ? group.get_object().if_contains("rule") : nullptr;
    const json::value* count = rule ? group.get_object().if_contains("count") : nullptr;
    if (!count || !count->is_int64() || !rule->is_string()) return none;
    rules.emplace_back(rule->get_string());
    covered += static_cast<std::uint64_t>(count->get_int64());
  }
  return rules.empty() || covered != calls.size() ? Result<std::vector<std::string>>(none) : std::move(rules);
}

Result<std::vector<std::string>> rules_for(const store::ApprovalRecord& approval,
                                           const std::vector<store::ApprovalCall>& calls, const ApprovalAnswer& answer,
                                           const std::string& workspace) {
  std::vector<std::string> rules = answer.rules;
  if (rules.empty()) rules = GLOVEBOX_TRY(rules_on_request(approval, calls));
  for (const std::string& rule : rules) {
    const auto pattern = GLOVEBOX_TRY(policy::ToolPattern::parse(rule, workspace));
    // A rule that matches none of the calls is a mistake.
    const bool fits = std::any_of(calls.begin(), calls.end(), [&](const store::ApprovalCall& call) {
      const auto arguments = policy::parse_arguments(call.arguments);
      return arguments && pattern.matches(call.server, call.tool, &arguments.value(), policy::Reading::kAllowing);
    });
    if (!fits) return Failure{ErrorCode::kInvalidArgument, "the rule \"" + rule + "\" matches none of these calls"};
  }
  return rules;
}

struct AskedOf {
  store::ApprovalRecord approval;
  store::RunRecord run;
};

Result<AskedOf> find_asked(store::Store& store, const std::string& id, const std::string& shown) {
  auto approval = GLOVEBOX_TRY(store.find_approval(id));
  if (!approval) return Failure{ErrorCode::kNotFound, "there is no approval " + id};
  auto run = GLOVEBOX_TRY(store.find_run(approval->run));
  if (!run) return Failure{ErrorCode::kNotFound, "the run of approval " + id + " is gone"};
  if (!shown.empty() && shown != base::sha256_hex(approval->card))
    return Failure{ErrorCode::kConflict, "approval " + id + " has changed since it was shown: read it again"};
  return AskedOf{std::move(*approval), std::move(*run)};
}

}  // namespace

Result<AnswerReceipt> give_answer(store::Store& store, const ApprovalAnswer& answer, const std::string& workspace,
                                  std::int64_t now) {
  const auto [approval, run] = GLOVEBOX_TRY(find_asked(store, answer.approval, answer.shown));
  store::AnswerRecord record;
  record.approval = answer.approval;
  record.run = approval.run;
  record.calls = answer.calls;
  record.who = answer.who;
  record.channel = answer.channel;
  record.scope = answer.approved ? answer.scope : store::Scope::kOnce;
  record.approved = answer.approved;
  record.reason = answer.reason.substr(0, kMostReason);
  record.at = now;
  const auto calls = meant(approval, answer);
  if (answer.approved && answer.scope != store::Scope::kOnce && !calls.empty()) {
    record.rules = GLOVEBOX_TRY(rules_for(approval, calls, answer, workspace));
  }
  const std::int64_t id = GLOVEBOX_TRY(store.answer(record, run.session));
  return AnswerReceipt{id, run.id, run.owner, record.rules};
}

Result<TakeBackReceipt> take_back(store::Store& store, const TakeBack& wish, std::int64_t now) {
  const auto asked = GLOVEBOX_TRY(find_asked(store, wish.approval, wish.shown));
  store::AnswerRecord no;
  no.approval = wish.approval;
  no.who = wish.who;
  no.channel = wish.channel;
  no.reason = "the approval was withdrawn";
  no.at = now;
  auto taken = GLOVEBOX_TRY(store.take_back(no));
  return TakeBackReceipt{asked.run.id, asked.run.owner, std::move(taken.rules_in_config)};
}

// What a gateway does with answers that its own clients give.

void Gateway::check_answerer(const std::string& session, const Asker& asker, Checked done) {
  store::ask_store(
      services_->store, services_->executor,
      [begun_at = session.substr(0, session.find(' ')), folder = services_->state_folder](store::Store& store) {
        return find_owner_alive(store, folder, begun_at);
      },
      [weak = weak_from_this(), session, asker, done = std::move(done)](const Result<bool>& lives) {
        const auto gateway = weak.lock();
        if (!gateway) return;
        if (!lives) return done(lives.failure());
        const auto& here = *gateway;
        if (here.sessions_.may_answer(session, here.services_->owner, asker, *lives)) return done({});
        done(Failure{ErrorCode::kConflict,
                     "only the conversation that asked can pass on an approval, and it is still open; the owner can "
                     "also answer outside of it. Nothing was recorded"});
      });
}

Result<std::vector<std::string>> meant_by(const std::string& run, const Gateway::Continuation& with,
                                          const std::vector<std::string>& open) {
  if (with.approval.empty() && !with.approved) return open;
  if (with.approval.empty()) {
    return Failure{
        ErrorCode::kInvalidArgument,
        "an approval is for one request: give the approval_id from approval_required; get_run lists everything " + run +
            " waits for"};
  }
  if (std::find(open.begin(), open.end(), with.approval) == open.end()) {
    return Failure{ErrorCode::kConflict, "run " + run + " does not wait for " + with.approval +
                                             ", or not any more: get_run lists everything it waits for"};
  }
  return std::vector{with.approval};
}

}  // namespace glovebox::gateway
