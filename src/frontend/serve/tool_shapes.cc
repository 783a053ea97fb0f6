#include "frontend/serve/tool_shapes.h"

#include <algorithm>
#include <set>

#include "base/try.h"
#include "catalog/names.h"
#include "skills/skill_tools.h"

namespace glovebox::frontend {
namespace {

using catalog::ServerHealth;
using catalog::Tool;

// What code may write for the server instead of its name.
std::string server_alias(const catalog::Catalog& catalog, const std::string& server) {
  std::string alias = catalog::camel_case(server);
  return alias != server && !alias.empty() && catalog.resolve_server(alias) == server ? alias : "";
}

}  // namespace

types::ToolShape shape_of(const catalog::Catalog& catalog, const Tool& tool) {
  return {.server = tool.server,
          .server_alias = server_alias(catalog, tool.server),
          .name = tool.name,
          .alias = tool.alias,
          .description = tool.description,
          .input_schema = tool.input_schema,
          .output_schema = tool.output_schema};
}

CheckedTools checked_tools(const catalog::Catalog& catalog) {
  CheckedTools checked;
  std::set<std::string> known;
  for (const ServerHealth& server : catalog.health()) {
    if (!server.classes) continue;
    // What the gateway itself answers in its name.
    known.insert(server.name);
    for (const Tool& tool : skills::own_skill_tools()) checked.tools.push_back(shape_of(catalog, tool));
  }
  for (const Tool& tool : catalog.known_tools()) {
    known.insert(tool.server);
    if (tool.state == Tool::State::kUsable) checked.tools.push_back(shape_of(catalog, tool));
  }
  for (const ServerHealth& server : catalog.health()) {
    if (server.state != ServerHealth::State::kReady && !known.contains(server.name))
      checked.open.push_back({server.name, server_alias(catalog, server.name)});
  }
  return checked;
}

Result<ToolChoice> ToolChoice::parse(const catalog::Catalog& catalog, std::string_view text) {
  const std::size_t end = std::min(text.find_first_of(".:"), text.size());
  const std::string written(text.substr(0, end));
  const std::string known = catalog.resolve_server(written);
  std::string tool(text.substr(std::min(end + 1, text.size())));
  const std::string pattern = (known.empty() ? written : known) + (tool.empty() ? "" : ":" + tool);
  // Conditions on arguments mean nothing here.
  if (pattern.find('(') != pattern.npos)
    return Failure{ErrorCode::kInvalidArgument, "\"" + std::string(text) + "\" does not name tools"};
  ToolChoice choice(GLOVEBOX_TRY(policy::ToolPattern::parse(pattern, "/")));
  if (written != "*") choice.server_ = known.empty() ? written : known;
  if (!tool.ends_with('*')) choice.tool_ = std::move(tool);
  return choice;
}

bool ToolChoice::includes(const Tool& tool) const {
  return pattern_.matches_name(tool.server, tool.name) ||
         (!tool.alias.empty() && pattern_.matches_name(tool.server, tool.alias));
}

}  // namespace glovebox::frontend
