// Which calls are allowed, asked about or denied.
#include "http_api/problem.h"
#include "http_api/routes.h"

namespace glovebox::http_api {

mcp::PlainResponse list_rules(const ApiRequest& request) {
  const auto rules = request.workspace.rules();
  if (!rules) return problem_of(rules.failure());
  mcp::json::array out;
  for (const policy::ToolRule& rule : rules->all()) {
    out.push_back(mcp::json::object{{"effect", mcp::json::string(policy::name_of(rule.verdict))},
                                    {"pattern", rule.pattern.text()},
                                    {"source", rule.origin}});
  }
  return {200, mcp::json::serialize(mcp::json::object{{"rules", std::move(out)}})};
}

}  // namespace glovebox::http_api
