// Describes the result of a run in a few words: "array of 2,020 objects {sha, author, …}".
#pragma once

#include <string>

#include "mcp/json/json_tree.h"

namespace glovebox::agent_tools {

// What a run has given, which was checked when it came; it may be nested deeper than messages are.
Result<mcp::json::value> parse_kept(std::string_view json);

std::string shape_of_json(const mcp::json::value& value);
// 2,020
std::string with_commas(std::size_t number);

}  // namespace glovebox::agent_tools
