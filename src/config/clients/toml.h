// The subset of TOML that other programs' config files use: read as JSON, and tables removed from the text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/jsonc.h"
#include "glovebox/result.h"

namespace glovebox::config {

// Dates become texts. Invalid TOML is a problem with its position.
Result<std::string, JsonProblem> toml_to_json(std::string_view text);

// The text without the table of this name and its subtables: {"mcp_servers", "github"}. Unchanged when it has none, and
// when they are not written with a heading.
Result<std::string, JsonProblem> without_toml_table(std::string_view text, const std::vector<std::string>& path);

}  // namespace glovebox::config
