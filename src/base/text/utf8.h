// Checks UTF-8, cuts it between characters, and writes it as JSON.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace glovebox::base {

bool is_utf8(std::string_view text);
// `bytes` with U+FFFD for what is not UTF-8. A file of such a name can be listed, but not opened by the text shown.
std::string utf8_text(std::string_view bytes);
// Its beginning, of at most so many bytes and whole characters.
constexpr std::string_view beginning_of(std::string_view text, std::size_t most) {
  if (text.size() <= most) return text;
  while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xc0) == 0x80) --most;
  return text.substr(0, most);
}
// As a JSON string with its quotes; what is not ASCII is replaced where `text` is not UTF-8.
std::string json_text(std::string_view text);
void append_json_text(std::string& out, std::string_view text);

}  // namespace glovebox::base
