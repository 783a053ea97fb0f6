// Names of tools: which are valid, and how code may write them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/tool.h"

namespace glovebox::catalog {

// list_commits, list-commits and list.commits as listCommits. Empty where there is no such form.
std::string camel_case(std::string_view name);

// Without case and separators: getsum of get_sum, get-sum and getSum.
std::string plain_name(std::string_view name);
// Whether they differ only in those.
bool is_same_name(std::string_view a, std::string_view b);

// How code of either language writes it: itself, or its alias where it is no identifier.
std::string written_name(const Tool& tool);

// Other ways to write it as one word: get_sum and getSum of get-sum, api_get_user and apiGetUser of API-get-user.
std::vector<std::string> spellings(std::string_view name);

// "; did you mean read?" for what is `written`; where none of the names is close, `lead` and the names, or nothing.
std::string meant_among(std::string_view written, const std::vector<std::string>& names, std::string_view lead);

// Why a tool of that name cannot be used; nothing when it can. `name` is UTF-8.
std::optional<std::string> why_no_tool_name(std::string_view name);

// Gives every usable tool of one server its alias, independent of their order: an exact name takes precedence over an
// alias, and an alias that two tools would have is given to neither.
void assign_aliases(std::vector<Tool>& tools);

}  // namespace glovebox::catalog
