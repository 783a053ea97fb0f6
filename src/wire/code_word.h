// The code of an error, as both sides write it.
#pragma once

#include <string_view>

namespace glovebox::wire {

// Whether it has the form of one: TOOL_ERROR, ENOENT.
bool is_code_word(std::string_view word);

}  // namespace glovebox::wire
