#include "base/text/log_text.h"

#include <algorithm>

#include "base/characters/code_point.h"
#include "base/text/hex.h"
#include "base/text/unseen_characters.h"

namespace glovebox::base {
namespace {

bool is_dangerous(char32_t code_point) {
  if (code_point == '\t' || code_point == '\n') return false;
  if (code_point < 0x7f) return code_point < 0x20;
  // Separators and annotations that some terminals obey.
  return code_point <= 0x9f || code_point == 0x2028 || code_point == 0x2029 ||
         (code_point >= 0xfff9 && code_point <= 0xfffb) || base::is_default_ignorable(code_point);
}

using Show = std::string (*)(char32_t code_point);

std::string show_dangerous(std::string_view text, Show show) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const auto [code_point, length] = first_character(text);
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

}  // namespace

std::string neutralise(std::string_view text) {
  return show_dangerous(text, [](char32_t code_point) {
    const std::string digits = hex_number(code_point, 6);
    return "\\u{" + digits.substr(std::min(digits.find_first_not_of('0'), digits.size() - 1)) + "}";
  });
}

std::string neutralise_json(std::string_view json) {
  // In JSON text they can only stand inside a string.
  return show_dangerous(json, [](char32_t code_point) {
    std::string escapes;
    each_utf16_unit(code_point, [&escapes](char16_t unit) { escapes += "\\u" + hex_number(unit, 4); });
    return escapes;
  });
}

}  // namespace glovebox::base
