#include "broker/log_text.h"

#include <cstdio>

namespace glovebox::broker {
namespace {

bool is_dangerous(unsigned code_point) {
  if (code_point == '\t' || code_point == '\n') return false;
  if (code_point < 0x20 || (code_point >= 0x7f && code_point <= 0x9f)) return true;
  // Marks, embeddings, overrides and isolates of the bidirectional algorithm; separators that some terminals obey.
  return code_point == 0x061c || code_point == 0x200e || code_point == 0x200f ||
         (code_point >= 0x2028 && code_point <= 0x202e) || (code_point >= 0x2066 && code_point <= 0x2069);
}

// `format` shows a character by its number.
std::string show_dangerous(std::string_view utf8, const char* format) {
  std::string out;
  out.reserve(utf8.size());
  for (std::size_t i = 0; i < utf8.size();) {
    const auto lead = static_cast<unsigned char>(utf8[i]);
    const std::size_t length = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    unsigned code_point = length == 1 ? lead : lead & (0xffu >> (length + 1));
    for (std::size_t k = 1; k < length && i + k < utf8.size(); ++k) {
      code_point = code_point << 6 | (static_cast<unsigned char>(utf8[i + k]) & 0x3f);
    }
    if (is_dangerous(code_point)) {
      char shown[16];
      std::snprintf(shown, sizeof shown, format, code_point);
      out += shown;
    } else {
      out.append(utf8.substr(i, length));
    }
    i += length;
  }
  return out;
}

}  // namespace

std::string neutralise(std::string_view utf8) {
  return show_dangerous(utf8, "\\u{%x}");
}

// All of them have at most four digits, and in JSON text they can only stand inside a string.
std::string neutralise_json(std::string_view json) {
  return show_dangerous(json, "\\u%04x");
}

}  // namespace glovebox::broker
