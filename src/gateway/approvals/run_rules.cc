#include "gateway/approvals/run_rules.h"

#include "base/text/comma_list.h"
#include "base/text/framed_text.h"
#include "gateway/adoption/todays_grants.h"
#include "store/database/patience.h"

namespace glovebox::gateway {

using policy::Verdict;

namespace {

constexpr std::size_t kMostListed = 200;  // columns of patterns that a denial repeats

// As a denial names it: "only fs:read, fs:write, as the request says".
std::string list_as_rule(const std::vector<std::string>& patterns, const char* whose) {
  const std::string list = patterns.empty() ? "no tools" : "only " + base::comma_list(patterns);
  return base::one_line(list, kMostListed) + ", as " + whose + " says";
}

}  // namespace

RunRules::RunRules(std::shared_ptr<const Services> services, const store::RunRecord& record,
                   const RunSettings& settings)
    : services_(std::move(services)), record_(record), settings_(settings) {
  limit_to(settings_.tools, "the request");
  limit_to(settings_.declared, "the capability");
  if (!settings_.profile) return;
  narrow_by(*settings_.profile);
  const auto today = todays_profile(settings_, *services_);
  if (today && *today != *settings_.profile) narrow_by(*today);
}

void RunRules::narrow_by(const policy::ClientProfile& profile) {
  limit_to(profile.tools, "the client's token");
  if (auto rules = policy::rules_of(profile, services_->workspace)) {
    of_client_.push_back(std::move(rules).value());
  } else {
    limit_to(std::vector<std::string>(), "the client's token");
  }
}

void RunRules::limit_to(const std::optional<std::vector<std::string>>& patterns, const char* whose) {
  if (!patterns) return;
  List& list = limited_to_.emplace_back();
  list.name = list_as_rule(*patterns, whose);
  for (const std::string& text : *patterns) {
    auto pattern = policy::ToolPattern::parse(text, services_->workspace);
    if (pattern) list.only.add({Verdict::kAllow, std::move(pattern).value(), "request"});
  }
}

// Read lazily: most runs need no approval, and need not wait for the store.
const policy::ToolRules& RunRules::remembered() const {
  if (remembered_) return *remembered_;
  static const policy::ToolRules kNothing;
  const store::DirectCalls direct;
  const auto rules = services_->store.rules_for(record_.id, record_.session);
  if (!rules) return kNothing;
  remembered_.emplace();
  remembered_->set_own(services_->rules.own());
  for (const store::RememberedRule& rule : rules.value()) {
    auto pattern = policy::ToolPattern::parse(rule.pattern, services_->workspace);
    if (!pattern) continue;
    remembered_->add({Verdict::kAllow, std::move(pattern).value(), std::string(name_of(rule.scope))});
  }
  return *remembered_;
}

policy::ToolDecision RunRules::decide(const std::string& server, const std::string& tool,
                                      const std::string& arguments) const {
  for (const List& list : limited_to_) {
    if (list.only.decide(server, tool, arguments).verdict == Verdict::kAllow) continue;
    policy::ToolDecision decision;
    decision.verdict = Verdict::kDeny;
    decision.rule = list.name;
    decision.origin = "request";
    decision.explanation = server + ":" + tool + " is not among the tools that this run or its client may use.";
    return decision;
  }
  policy::ToolDecision decision = services_->rules.decide(server, tool, arguments);
  for (const policy::ToolRules& rules : of_client_) {
    policy::ToolDecision narrower = rules.decide(server, tool, arguments);
    if (narrower.verdict > decision.verdict) decision = std::move(narrower);
  }
  if (decision.verdict != Verdict::kAsk) return decision;
  // A person may have approved more than the calls that were asked about.
  policy::ToolDecision again = remembered().decide(server, tool, arguments);
  return again.verdict == Verdict::kAllow ? again : decision;
}

}  // namespace glovebox::gateway
