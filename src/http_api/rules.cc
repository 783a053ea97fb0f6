// Which calls are allowed, asked about or denied: the rules, what they were used for, what happens to one call, and
// what another rule would allow.
#include <map>
#include <set>

#include "base/try.h"
#include "gateway/audit/audit_anchor.h"
#include "http_api/from_store.h"
#include "http_api/past_calls.h"
#include "http_api/problem.h"
#include "http_api/routes.h"

namespace glovebox::http_api {
namespace {

namespace json = mcp::json;

// Calls that are listed one by one.
constexpr std::size_t kMostListed = 50;
// A wide rule of which so few tools were used can name them.
constexpr std::size_t kMostNamed = 6;
// Runs whose sessions are searched for rules.
constexpr std::size_t kRunsForRules = 500;

struct Use {
  std::size_t count = 0;
  std::string last;
  std::map<std::pair<std::string, std::string>, std::size_t> tools;
};

// By what a rule does and says; a call that a person approved counts for the rule that asked.
std::map<std::pair<std::string, std::string>, Use> uses_of(const std::vector<PastCall>& calls) {
  std::map<std::pair<std::string, std::string>, Use> uses;
  for (const PastCall& call : calls) {
    if (call.rule.empty()) continue;
    Use& use = uses[{call.effect, call.rule}];
    if (use.count++ == 0) use.last = call.time;
    ++use.tools[{call.server, call.tool}];
  }
  return uses;
}

// Whether a rule speaks of more than one tool.
bool is_wide(const std::string& pattern) {
  return pattern.find('(') == pattern.npos && (pattern.find(':') == pattern.npos || pattern.find('*') != pattern.npos);
}

// The tools that were really called, in place of a rule that allows all of a server's.
json::array narrower(const Use& use) {
  json::array rules;
  if (use.tools.size() > kMostNamed) return rules;
  for (const auto& [name, count] : use.tools) {
    const auto pattern = policy::pattern_of(name.first, name.second);
    if (!pattern) return {};
    rules.emplace_back(pattern.value());
  }
  return rules;
}

// Whose approval a rule comes from.
struct Giver {
  std::string who;
  std::string at;
  std::string approval;
};

// The newest approval that named each rule, by the audit log.
void note_givers(const json::object& record, std::map<std::string, Giver>& givers) {
  const json::array* const rules = mcp::array_member(record, "rules");
  if (!rules || mcp::string_member(record, "event") != "approval.answered") return;
  const auto text = [&](const char* key) { return mcp::string_member(record, key).value_or(""); };
  for (const json::value& rule : *rules)
    if (rule.is_string())
      givers.try_emplace(std::string(rule.get_string()), Giver{text("approver"), text("time"), text("approval")});
}

json::object use_of(const std::string& effect, const std::string& pattern, const Use& use,
                    const std::map<std::string, Giver>& givers) {
  json::object shown = {{"effect", effect}, {"pattern", pattern}, {"used", use.count}};
  const auto text_or_null = [](const std::string& text) { return text.empty() ? json::value() : json::value(text); };
  shown["last"] = text_or_null(use.last);
  const auto found = effect == "allow" ? givers.find(pattern) : givers.end();
  const Giver giver = found == givers.end() ? Giver{} : found->second;
  shown["by"] = text_or_null(giver.who);
  shown["since"] = text_or_null(giver.at);
  shown["approval"] = text_or_null(giver.approval);
  shown["narrower"] = effect == "allow" && is_wide(pattern) && use.count > 0 ? narrower(use) : json::array();
  return shown;
}

// What yeses for a run or a session allow now. Those in the config are listed from the config.
Result<std::vector<store::RememberedRule>> rules_of_answers(const ApiRequest& request) {
  std::map<std::int64_t, store::RememberedRule> found;
  const auto add = [&](const std::string& run, const std::string& session) -> Result<void> {
    for (auto& rule : GLOVEBOX_TRY(request.store.rules_for(run, session))) found.try_emplace(rule.id, std::move(rule));
    return {};
  };
  std::set<std::string> sessions;
  for (const auto& run : GLOVEBOX_TRY(request.store.unended_runs())) GLOVEBOX_TRY_VOID(add(run.id, run.session));
  for (const auto& run : GLOVEBOX_TRY(request.store.list_runs(std::nullopt, kRunsForRules)))
    if (!run.session.empty() && sessions.insert(run.session).second) GLOVEBOX_TRY_VOID(add("", run.session));
  std::vector<store::RememberedRule> rules;
  for (auto& [id, rule] : found) rules.push_back(std::move(rule));
  return rules;
}

Result<json::object> listed(const ApiRequest& request, const policy::ToolRules& rules) {
  json::array out;
  for (const policy::ToolRule& rule : rules.all()) {
    out.push_back(json::object{{"effect", json::string(policy::name_of(rule.verdict))},
                               {"pattern", rule.pattern.text()},
                               {"source", rule.origin}});
  }
  for (const store::RememberedRule& rule : GLOVEBOX_TRY(rules_of_answers(request))) {
    json::object shown = {{"effect", "allow"}, {"pattern", rule.pattern}};
    shown["source"] = json::string(store::name_of(rule.scope));
    if (rule.scope == store::Scope::kRun) shown["key"] = rule.key;
    out.push_back(std::move(shown));
  }
  return json::object{{"rules", std::move(out)}};
}

Result<json::object> usage(const ApiRequest& request, const policy::ToolRules& rules) {
  std::map<std::string, Giver> givers;
  const auto calls = past_calls(gateway::audit_log_path(request.state_folder),
                                [&](const json::object& record) { note_givers(record, givers); });
  const auto uses = uses_of(calls);
  json::array out;
  const auto add = [&](const std::string& effect, const std::string& pattern) {
    const auto found = uses.find({effect, pattern});
    out.push_back(use_of(effect, pattern, found == uses.end() ? Use{} : found->second, givers));
  };
  for (const policy::ToolRule& rule : rules.all()) add(std::string(policy::name_of(rule.verdict)), rule.pattern.text());
  for (const store::RememberedRule& rule : GLOVEBOX_TRY(rules_of_answers(request))) add("allow", rule.pattern);
  return json::object{{"calls", calls.size()},
                      {"from", calls.empty() ? json::value(nullptr) : json::value(calls.back().time)},
                      {"rules", std::move(out)}};
}

json::object to_json(const PastCall& call) {
  return {{"time", call.time}, {"run", call.run},         {"server", call.server},
          {"tool", call.tool}, {"verdict", call.verdict}, {"arguments", call.arguments}};
}

// What a rule would allow, of what was called, asked about or denied.
Result<json::object> tested(const ApiRequest& request) {
  const auto said = mcp::string_member(request.body, "pattern");
  if (!said) return Failure{ErrorCode::kInvalidArgument, R"("pattern" is a rule, such as "github:get_*")"};
  const auto pattern = GLOVEBOX_TRY(policy::ToolPattern::parse(*said, request.folder));
  const auto calls = past_calls(gateway::audit_log_path(request.state_folder));
  std::size_t matched = 0;
  std::size_t unknown = 0;
  json::array listed;
  std::set<std::string> same;
  for (const PastCall& call : calls) {
    const auto covered = covers(pattern, call);
    if (!covered) ++unknown;
    if (!covered.value_or(false)) continue;
    ++matched;
    // The same call twice says nothing new.
    const bool is_new = same.insert(call.server + ":" + call.tool + json::serialize(call.arguments)).second;
    if (is_new && listed.size() < kMostListed) listed.push_back(to_json(call));
  }
  return json::object{{"pattern", *said},
                      {"checked", calls.size()},
                      {"from", calls.empty() ? json::value(nullptr) : json::value(calls.back().time)},
                      {"matched", matched},
                      {"unknown", unknown},
                      {"calls", std::move(listed)}};
}

Result<json::object> explained(const LoopRequest& request) {
  const auto rules = GLOVEBOX_TRY(request.workspace.rules());
  const std::string tool = mcp::string_member(request.body, "tool").value_or("");
  const std::size_t colon = tool.find(':');
  if (colon == tool.npos || colon == 0 || colon + 1 == tool.size())
    return Failure{ErrorCode::kInvalidArgument, R"("tool" is server:tool, such as "github:list_commits")"};
  const json::value* const arguments = mcp::member(request.body, "arguments");
  if (arguments && !arguments->is_object())
    return Failure{ErrorCode::kInvalidArgument, R"("arguments" is an object, as the tool takes it)"};
  const auto decision =
      rules.decide(tool.substr(0, colon), tool.substr(colon + 1), arguments ? json::serialize(*arguments) : "{}");
  json::array matches;
  for (const auto& match : decision.matches) {
    matches.push_back(json::object{{"effect", json::string(policy::name_of(match.verdict))},
                                   {"pattern", match.pattern},
                                   {"source", match.origin}});
  }
  return json::object{{"tool", tool},
                      {"effect", json::string(policy::name_of(decision.verdict))},
                      {"rule", decision.rule.empty() ? json::value(nullptr) : json::value(decision.rule)},
                      {"matches", std::move(matches)},
                      {"explanation", decision.explanation}};
}

// The rules of the config belong to the loop's thread; those of answers are in the store.
void respond_with_rules(const LoopRequest& request, Route::Done done,
                        Result<json::object> (*made)(const ApiRequest& held, const policy::ToolRules& rules)) {
  const auto rules = request.workspace.rules();
  if (!rules) return done(problem_of(rules.failure()));
  respond_from_store(
      request, [rules = *rules, made](const ApiRequest& held) { return respond_with(made(held, rules)); },
      std::move(done));
}

}  // namespace

void list_rules(const LoopRequest& request, Route::Done done) {
  respond_with_rules(request, std::move(done), listed);
}

void show_rule_usage(const LoopRequest& request, Route::Done done) {
  respond_with_rules(request, std::move(done), usage);
}

mcp::PlainResponse test_rule(const ApiRequest& request) {
  return respond_with(tested(request));
}

void explain_call(const LoopRequest& request, Route::Done done) {
  done(respond_with(explained(request)));
}

}  // namespace glovebox::http_api
