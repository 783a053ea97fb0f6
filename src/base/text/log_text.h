// Logs and results are read on terminals: what a guest prints must not move a cursor, fake a line or turn text around.
#pragma once

#include <string>
#include <string_view>

namespace glovebox::base {

// Control characters other than tab and newline, C1 controls, what turns text around and what is not seen at all become
// visible, as in "\u{1b}[31m". Bytes that are not UTF-8, which names of files may have, become U+FFFD.
std::string neutralise(std::string_view text);

// The same for JSON text, which stays the same JSON: the characters become escapes such as \u202e.
std::string neutralise_json(std::string_view json);

}  // namespace glovebox::base
