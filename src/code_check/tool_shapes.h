// Converts the catalog's tools for the types layer, and finds those that a name or pattern means.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "catalog/catalog.h"
#include "policy/tool_rules.h"
#include "types/declarations.h"

namespace glovebox::code_check {

types::ToolShape shape_of(const catalog::Catalog& catalog, const catalog::Tool& tool);

// What code is checked against: every known tool that can be called, and servers that have not said yet what they have.
// Tools that the policy denies are among them: it says so itself, and says why.
struct CheckedTools {
  std::vector<types::ToolShape> tools;
  std::vector<types::OpenServer> open;
};
CheckedTools checked_tools(const catalog::Catalog& catalog);

// SERVER, SERVER.TOOL, SERVER.PREFIX* or *; a colon may stand for the dot. Names may be aliases. What code writes is
// understood too, and so is a declaration: mcp.server.tool({…}), mcp["my server"].tool.
class ToolChoice {
 public:
  static Result<ToolChoice> parse(const catalog::Catalog& catalog, std::string_view text);

  const std::string& server() const { return server_; }  // empty: all
  const std::string& tool() const { return tool_; }      // empty: not one alone
  bool includes(const catalog::Tool& tool) const;

 private:
  explicit ToolChoice(policy::ToolPattern pattern) : pattern_(std::move(pattern)) {}

  policy::ToolPattern pattern_;
  std::string server_;
  std::string tool_;
};

}  // namespace glovebox::code_check
