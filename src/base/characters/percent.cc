#include "base/characters/percent.h"

#include <algorithm>

#include "base/characters/ascii.h"

namespace glovebox::base {
namespace {

template <typename IsPlain>
std::string escaped(std::string_view bytes, IsPlain is_plain, const char* digits) {
  std::string text;
  text.reserve(bytes.size());
  for (const char c : bytes) {
    if (is_plain(c)) {
      text += c;
    } else {
      text += {'%', digits[static_cast<unsigned char>(c) >> 4], digits[c & 15]};
    }
  }
  return text;
}

}  // namespace

std::string url_escaped(std::string_view bytes, std::string_view plain) {
  return escaped(
      bytes, [plain](char c) { return is_alnum(c) || plain.find(c) != plain.npos; }, "0123456789ABCDEF");
}

std::string printable_escaped(std::string_view bytes, std::string_view plain) {
  const auto is_plain = [plain](char c) { return (c > ' ' && c < 0x7f && c != '%') || plain.find(c) != plain.npos; };
  return escaped(bytes, is_plain, "0123456789abcdef");
}

std::optional<std::string> percent_decoded(std::string_view text) {
  std::string bytes;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '%') {
      bytes += text[at];
      continue;
    }
    if (text.size() - at < 3) return std::nullopt;
    const int high = hex_value(text[at + 1]), low = hex_value(text[at + 2]);
    if (high < 0 || low < 0) return std::nullopt;
    bytes += static_cast<char>(high * 16 + low);
    at += 2;
  }
  return bytes;
}

std::optional<std::string> form_decoded(std::string_view text) {
  std::string spaced(text);
  std::replace(spaced.begin(), spaced.end(), '+', ' ');
  return percent_decoded(spaced);
}

}  // namespace glovebox::base
