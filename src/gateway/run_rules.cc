#include "gateway/run_rules.h"

namespace glovebox::gateway {

using policy::Verdict;

RunRules::RunRules(std::shared_ptr<const Services> services, const store::RunRecord& record,
                   const RunSettings& settings)
    : services_(std::move(services)), record_(record), settings_(settings) {
  if (settings_.tools) {
    for (const std::string& text : *settings_.tools) {
      auto pattern = policy::ToolPattern::parse(text, services_->workspace);
      if (pattern) limited_to_.add({Verdict::kAllow, std::move(pattern).value(), "request"});
    }
  }
}

void RunRules::load() {
  remembered_ = {};
  const auto rules = services_->store.rules_for(record_.id, record_.session);
  if (!rules) return;
  for (const store::RememberedRule& rule : rules.value()) {
    auto pattern = policy::ToolPattern::parse(rule.pattern, services_->workspace);
  remembered_.set_own(services_->rules.own());
    if (!pattern) continue;
    remembered_.add({Verdict::kAllow, std::move(pattern).value(), std::string(name_of(rule.scope))});
  }
}

policy::ToolDecision RunRules::decide(const std::string& server, const std::string& tool,
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

}  // namespace glovebox::gateway
