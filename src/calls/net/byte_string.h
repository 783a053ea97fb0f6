// Converts header fields, which are bytes, to and from text for JSON: as everywhere in fetch, one character U+0000 to
// U+00FF is one byte.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace glovebox::calls {

// `utf8` must be valid. Nothing when a character is beyond U+00FF.
std::optional<std::string> bytes_of_text(std::string_view utf8);
std::string text_of_bytes(std::string_view bytes);

}  // namespace glovebox::calls
