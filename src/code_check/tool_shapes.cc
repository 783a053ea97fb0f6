#include "code_check/tool_shapes.h"

#include <algorithm>
#include <set>

#include "base/try.h"
#include "catalog/names.h"
#include "skills/skill_tools.h"

namespace glovebox::code_check {
namespace {

using catalog::ServerHealth;
using catalog::Tool;

// What code may write for the server instead of its name.
std::string server_alias(const catalog::Catalog& catalog, const std::string& server) {
  std::string alias = catalog::camel_case(server);
  return alias != server && !alias.empty() && catalog.resolve_server(alias) == server ? alias : "";
}

// The next name of an expression, .name or ["name"], is taken off it; empty where there is none.
std::string take_step(std::string_view& rest) {
  if (rest.starts_with('.')) {
    rest.remove_prefix(1);
    const std::string step(rest.substr(0, rest.find_first_of(".[( \t\n")));
    rest.remove_prefix(step.size());
    return step;
  }
  if (!rest.starts_with("[\"") && !rest.starts_with("['")) return "";
  const std::size_t end = rest.find(std::string{rest[1], ']'}, 2);
  if (end == rest.npos) return "";
  std::string step(rest.substr(2, end - 2));
  rest.remove_prefix(end + 2);
  return step;
}

// mcp.files.readFile({ path }) is files.readFile. Other texts stay as they are.
std::string named_by_code(std::string_view text) {
  constexpr std::string_view kAwait = "await ";
  std::string_view rest = text;
  // A declaration begins with a comment.
  if (const std::size_t line = text.find("\nmcp"); line != text.npos) rest.remove_prefix(line + 1);
  if (rest.starts_with(kAwait)) rest.remove_prefix(kAwait.size());
  if (!rest.starts_with("mcp.") && !rest.starts_with("mcp[")) return std::string(text);
  rest.remove_prefix(3);
  const std::string server = take_step(rest);
  const std::string tool = take_step(rest);
  if (server.empty()) return std::string(text);
  return tool.empty() ? server : server + ":" + tool;
}

}  // namespace

types::ToolShape shape_of(const catalog::Catalog& catalog, const Tool& tool) {
  return {.server = tool.server,
          .server_alias = server_alias(catalog, tool.server),
          .name = tool.name,
          .alias = tool.alias,
          .description = tool.description,
          .input_schema = tool.input_schema,
          .output_schema = tool.output_schema,
          .source = tool.owner};
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

Result<ToolChoice> ToolChoice::parse(const catalog::Catalog& catalog, std::string_view given) {
  const std::string text = catalog.resolve_server("mcp").empty() ? named_by_code(given) : std::string(given);
  const std::size_t end = std::min(text.find_first_of(".:"), text.size());
  const std::string written = text.substr(0, end);
  const std::string known = catalog.resolve_server(written);
  std::string tool = text.substr(std::min(end + 1, text.size()));
  const std::string pattern = (known.empty() ? written : known) + (tool.empty() ? "" : ":" + tool);
  // Conditions on arguments mean nothing here.
  if (pattern.find('(') != pattern.npos)
    return Failure{ErrorCode::kInvalidArgument, "\"" + text + "\" does not name tools"};
  ToolChoice choice(GLOVEBOX_TRY(policy::ToolPattern::parse(pattern, "/")));
  if (written != "*") choice.server_ = known.empty() ? written : known;
  if (!tool.ends_with('*')) choice.tool_ = std::move(tool);
  return choice;
}

bool ToolChoice::includes(const Tool& tool) const {
  return pattern_.matches_name(tool.server, tool.name) ||
         (!tool.alias.empty() && pattern_.matches_name(tool.server, tool.alias));
}

}  // namespace glovebox::code_check
