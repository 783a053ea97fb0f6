// Puts untrusted text among our own. Every line gets a margin, and nothing in the text can leave it: no line break, no
// line that is wider than the screen, no character that moves the cursor.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace glovebox::base {

struct Frame {
  std::size_t columns = 80;                               // of the screen, margin included
  std::size_t most_lines = static_cast<std::size_t>(-1);  // what follows is counted, and not shown
};

// `utf8` with "  | " before each line, and "  > " where a line continues. Ends with a line break, unless it is empty.
std::string framed(std::string_view utf8, const Frame& frame);

// One line of at most `columns`, without a line break at its end; "…" says that it was longer.
std::string one_line(std::string_view utf8, std::size_t columns);

}  // namespace glovebox::base
