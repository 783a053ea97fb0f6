// Names of tools: which can be used, and how code may write them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/tool.h"

namespace glovebox::catalog {

// list_commits, list-commits and list.commits as listCommits. Empty where nothing of the kind comes of it.
std::string camel_case(std::string_view name);

// Why a tool of that name cannot be used; nothing when it can. `name` is UTF-8.
std::optional<std::string> why_no_tool_name(std::string_view name);

// Gives every usable tool of one server its alias, whatever the order they come in: an exact name goes before an alias,
// and an alias that two tools would have belongs to neither.
void assign_aliases(std::vector<Tool>& tools);

}  // namespace glovebox::catalog
