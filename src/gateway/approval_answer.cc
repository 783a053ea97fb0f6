#include "gateway/approval_answer.h"

#include <algorithm>

#include "base/try.h"
#include "gateway/approval_card.h"
#include "policy/tool_rules.h"

namespace glovebox::gateway {
namespace {

constexpr std::size_t kMostReason = 2000;

// The calls that the answer is about.
std::vector<store::ApprovalCall> meant(const store::ApprovalRecord& approval, const ApprovalAnswer& answer) {
  std::vector<store::ApprovalCall> calls;
  for (const store::ApprovalCall& call : approval.calls) {
    const bool named = std::find(answer.calls.begin(), answer.calls.end(), call.call) != answer.calls.end();
    if (!call.approved && (answer.calls.empty() || named)) calls.push_back(call);
  }
  return calls;
}

Result<std::vector<std::string>> rules_for(const std::vector<store::ApprovalCall>& calls, const ApprovalAnswer& answer,
                                           const std::string& workspace) {
  std::vector<std::string> rules = answer.rules;
  if (rules.empty()) {
    for (const CallGroup& group : group_calls(calls, workspace)) {
      if (group.rule.empty()) {
        return Failure{ErrorCode::kInvalidArgument, "no rule says what these calls of " + group.tool +
                                                        " have in common: approve them once, or give a rule yourself"};
      }
      rules.push_back(group.rule);
    }
  }
  for (const std::string& rule : rules) {
    const auto pattern = GLOVEBOX_TRY(policy::ToolPattern::parse(rule, workspace));
    // A rule that is about something else is a slip of the hand.
    const bool fits = std::any_of(calls.begin(), calls.end(), [&](const store::ApprovalCall& call) {
      const auto arguments = policy::parse_arguments(call.arguments);
      return arguments && pattern.matches(call.server, call.tool, &arguments.value(), policy::Reading::kAllowing);
    });
    if (!fits) return Failure{ErrorCode::kInvalidArgument, "the rule \"" + rule + "\" does not fit any of these calls"};
  }
  return rules;
}

}  // namespace

Result<AnswerReceipt> give_answer(store::Store& store, const ApprovalAnswer& answer, const std::string& workspace,
                                  std::int64_t now) {
  const auto approval = GLOVEBOX_TRY(store.find_approval(answer.approval));
  if (!approval) return Failure{ErrorCode::kNotFound, "there is no approval " + answer.approval};
  const auto run = GLOVEBOX_TRY(store.find_run(approval->run));
  if (!run) return Failure{ErrorCode::kNotFound, "the run of approval " + answer.approval + " is gone"};
  store::AnswerRecord record;
  record.approval = answer.approval;
  record.run = approval->run;
  record.calls = answer.calls;
  record.who = answer.who;
  record.channel = answer.channel;
  record.scope = answer.approved ? answer.scope : store::Scope::kOnce;
  record.approved = answer.approved;
  record.reason = answer.reason.substr(0, kMostReason);
  record.at = now;
  const auto calls = meant(*approval, answer);
  if (answer.approved && answer.scope != store::Scope::kOnce && !calls.empty()) {
    record.rules = GLOVEBOX_TRY(rules_for(calls, answer, workspace));
  }
  const std::int64_t id = GLOVEBOX_TRY(store.answer(record, run->session));
  return AnswerReceipt{id, run->id, run->owner, record.rules};
}

}  // namespace glovebox::gateway
