// Changes of a config file's text that leave everything else as it is: comments, order, spaces.
//
// A place is a path of keys: {"mcpServers", "github"}. Missing objects on the way are created. New values are JSON
// texts.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/jsonc.h"
#include "glovebox/result.h"

namespace glovebox::config {

using JsonPlace = std::vector<std::string>;
using EditResult = Result<std::string, JsonProblem>;

// Empty text becomes an object with it. An existing value is replaced.
EditResult set_member(std::string_view text, const JsonPlace& place, std::string_view value_json);
// The text unchanged when there is none.
EditResult remove_member(std::string_view text, const JsonPlace& place);

// Adds a text to the array at `place`, once; creates the array if it is missing.
EditResult add_text(std::string_view text, const JsonPlace& place, std::string_view element);
// The text unchanged when the element is not there.
EditResult remove_text(std::string_view text, const JsonPlace& place, std::string_view element);

}  // namespace glovebox::config
