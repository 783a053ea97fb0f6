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

std::string show_dangerous(std::string_view utf8, Show show) {
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
      out += show(code_point);
    } else {
      out.append(utf8.substr(i, length));
    }
    i += length;
  }
  return out;
}

std::string formatted(const char* format, unsigned number) {
  char shown[16];
  std::snprintf(shown, sizeof shown, format, number);
  return shown;
}

}  // namespace

std::string neutralise(std::string_view utf8) {
  return show_dangerous(utf8, [](unsigned code_point) { return formatted("\\u{%x}", code_point); });
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
