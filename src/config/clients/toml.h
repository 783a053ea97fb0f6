// As much of TOML as other programs' config files have: read as JSON, and tables taken out of the text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/jsonc.h"
#include "glovebox/result.h"

namespace glovebox::config {

// Dates become texts. What is no TOML is a problem with its place.
Result<std::string, JsonProblem> toml_to_json(std::string_view text);

// The text without the table of this name and the tables within it: {"mcp_servers", "github"}. The text as it is when
// it has none, and when they are written in another way than with a heading.
Result<std::string, JsonProblem> without_toml_table(std::string_view text, const std::vector<std::string>& path);

}  // namespace glovebox::config
