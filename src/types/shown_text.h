// Untrusted text as people and models may see it: UTF-8, without invisible characters, and bounded.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace glovebox::types {

// Line breaks, control characters, and characters that are invisible or change the direction of text.
bool is_unwelcome(char32_t point);

// At most about `most` bytes, cut at the end of a sentence or a word, with \n as the only line break.
std::string shown_text(std::string_view utf8, std::size_t most);

// The same in one line.
std::string shown_line(std::string_view utf8, std::size_t most);

}  // namespace glovebox::types
