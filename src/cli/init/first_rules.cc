#include "cli/init/first_rules.h"

#include <boost/json.hpp>

#include "cli/session/catalog_run.h"
#include "gateway/config_policy.h"

namespace glovebox::cli {

bool says_it_only_reads(const catalog::Tool& tool) {
  boost::json::error_code error;
  const auto hints = boost::json::parse(tool.annotations.empty() ? "{}" : tool.annotations, error);
  const auto* members = error ? nullptr : hints.if_object();
  const auto is = [&](const char* name) {
    const auto* hint = members ? members->if_contains(name) : nullptr;
    return hint && hint->is_bool() && hint->get_bool();
  };
  return is("readOnlyHint") && !is("destructiveHint");
}

ProposedRules propose_rules(const Workspace& workspace) {
  ProposedRules proposed;
  const auto rules = workspace_rules(workspace, workspace.config);
  CatalogRun run(workspace);
  for (const config::DeclaredServer& server : workspace.config.servers) {
    if (server.spec.disabled || server.spec.classes) continue;
    const auto tools = run.list(server.spec.name);
    if (!tools) {
      proposed.notes.push_back(tools.failure().message);  // it begins with the server's name
      continue;
    }
    for (const catalog::Tool& tool : *tools) {
      const bool decided = rules && !rules->decide(tool.server, tool.name, "{}").rule.empty();
      if (tool.state != catalog::Tool::State::kUsable || decided) continue;
      const auto pattern = policy::pattern_of(tool.server, tool.name);
      if (pattern && says_it_only_reads(tool)) {
        proposed.allow.push_back(*pattern);
      } else {
        ++proposed.others;
      }
    }
  }
  return proposed;
}

}  // namespace glovebox::cli
