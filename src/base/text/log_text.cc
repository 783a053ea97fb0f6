#include "base/text/log_text.h"

#include <cstdio>

#include "base/text/unseen_characters.h"

namespace glovebox::base {
namespace {

bool is_dangerous(unsigned code_point) {
  if (code_point == '\t' || code_point == '\n') return false;
  if (code_point < 0x7f) return code_point < 0x20;
  // Separators and annotations that some terminals obey.
  return code_point <= 0x9f || code_point == 0x2028 || code_point == 0x2029 ||
         (code_point >= 0xfff9 && code_point <= 0xfffb) || base::is_default_ignorable(code_point);
}

using Show = std::string (*)(unsigned code_point);

// The length of the character that `text` begins with. 0: it begins with a byte that is not UTF-8.
std::size_t read_character(std::string_view text, unsigned& code_point) {
  const unsigned lead = code_point = static_cast<unsigned char>(text[0]);
  if (lead < 0x80) return 1;
  const std::size_t length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  if (lead < 0xc2 || lead > 0xf4 || length > text.size()) return 0;
  code_point = lead & (0xffu >> (length + 1));
  for (const char c : text.substr(1, length - 1)) {
    if ((static_cast<unsigned char>(c) & 0xc0) != 0x80) return 0;
    code_point = code_point << 6 | (static_cast<unsigned char>(c) & 0x3f);
  }
  const bool is_longer_than_needed = (length == 3 && code_point < 0x800) || (length == 4 && code_point < 0x10000);
  const bool is_half = code_point >= 0xd800 && code_point < 0xe000;
  return is_longer_than_needed || is_half || code_point > 0x10ffff ? 0 : length;
}

std::string show_dangerous(std::string_view text, Show show) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    unsigned code_point = 0;
    const std::size_t length = read_character(text, code_point);
    if (length == 0) {
      out += "\xef\xbf\xbd";  // the bytes behind it are read again: one of them may begin an escape sequence
    } else if (is_dangerous(code_point)) {
      out += show(code_point);
    } else {
      out.append(text.substr(0, length));
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return out;
}

std::string formatted(const char* format, unsigned number) {
  char shown[16];
  std::snprintf(shown, sizeof shown, format, number);
  return shown;
}

}  // namespace

std::string neutralise(std::string_view text) {
  return show_dangerous(text, [](unsigned code_point) { return formatted("\\u{%x}", code_point); });
}

std::string neutralise_json(std::string_view json) {
  // In JSON text they can only stand inside a string.
  return show_dangerous(json, [](unsigned code_point) {
    if (code_point < 0x10000) return formatted("\\u%04x", code_point);
    const unsigned rest = code_point - 0x10000;
    return formatted("\\u%04x", 0xd800 + (rest >> 10)) + formatted("\\u%04x", 0xdc00 + (rest & 0x3ff));
  });
}

}  // namespace glovebox::base
