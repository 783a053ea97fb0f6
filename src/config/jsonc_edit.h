// Changes of a config file's text that leave everything else as it is: comments, order, spaces.
//
// A place is named by the keys that lead to it: {"mcpServers", "github"}. Objects on the way are made where they are
// missing. New values are JSON texts.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/jsonc.h"
#include "glovebox/result.h"

namespace glovebox::config {

using JsonPlace = std::vector<std::string>;
using EditResult = Result<std::string, JsonProblem>;

// Text that is empty becomes an object with it. An old value of that name is replaced.
EditResult set_member(std::string_view text, const JsonPlace& place, std::string_view value_json);
// The text as it is when there is none.
EditResult remove_member(std::string_view text, const JsonPlace& place);

// Adds a text to the array at `place`, once; makes the array where it is missing.
EditResult add_text(std::string_view text, const JsonPlace& place, std::string_view element);
// The text as it is when the element is not there.
EditResult remove_text(std::string_view text, const JsonPlace& place, std::string_view element);

}  // namespace glovebox::config
