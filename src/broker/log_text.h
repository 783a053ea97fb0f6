// Log lines are read on terminals: what a guest prints must not move a cursor, fake a line or turn text around.
#pragma once

#include <string>
#include <string_view>

namespace glovebox::broker {

// Valid UTF-8 in, valid UTF-8 out: control characters other than tab and newline, C1 controls and bidirectional overrides
// become visible, as in "\u{1b}[31m".
std::string neutralise(std::string_view utf8);

}  // namespace glovebox::broker
