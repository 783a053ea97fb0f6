// What has changed in a tool's definition, for a person who is to approve it.
#pragma once

#include <string>
#include <string_view>

namespace glovebox::catalog {

// Two texts of pinned_definition, line by line: "-" was, "+" is now, with a few lines of context. Descriptions are
// shown as plain text. Empty when nothing has changed.
std::string definition_diff(std::string_view before, std::string_view after);

}  // namespace glovebox::catalog
