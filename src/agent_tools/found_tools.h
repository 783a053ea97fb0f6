// The results of a tool search, as agents see them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "discovery/tool_finder.h"
#include "types/declarations.h"
#include "types/sealed/type_generator.h"

namespace glovebox::agent_tools {

// One of them, and what is said about it. `detail`: names, summary or types, which may be Python's. A tool that was
// listed without an intent has no score.
struct ShownTool {
  discovery::FoundTool found;
  types::ToolShape shape;
  std::string detail;
  bool has_score = true;
  bool is_python = false;
};
// As a JSON array.
std::string found_tools_json(const std::vector<ShownTool>& tools, const types::AskForPart& ask);

// The members that execute_code adds to its result, as an object: "discoveredTools":[{tool, call, score, weak?}] and
// "injectedTools":[tool], of which none is weak.
std::string discovery_members(const catalog::Catalog& catalog, const discovery::Findings& findings);

// What code that calls those that are not weak is checked against, in as few words as possible. Empty where all are.
types::ComposeText declarations_of(const catalog::Catalog& catalog, const discovery::Findings& findings);

// Those that are weak, a line each, for a model that reads text.
std::string weak_list(const discovery::Findings& findings);

// Why there is nothing, or less than there could be; empty where all is well.
std::string note_about(const discovery::Findings& findings, bool has_intent);

}  // namespace glovebox::agent_tools
