// Characters of UTF-8, one by one. Well-formed ones only: none that is longer than needed, no half of a surrogate pair.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace glovebox::base {

inline constexpr char32_t kReplacement = 0xfffd;

struct Character {
  char32_t point = kReplacement;
  std::size_t bytes = 0;  // none: what is there is not UTF-8
};

// The one that `text`, which is not empty, begins with.
constexpr Character first_character(std::string_view text) {
  const auto byte = [text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t bytes = lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
  if (bytes == 0 || text.size() < bytes) return {};
  char32_t point = lead & (0x7fU >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if (byte(i) >> 6 != 2) return {};
    point = point << 6 | (byte(i) & 0x3fU);
  }
  const bool longer_than_needed = (bytes == 3 && point < 0x800) || (bytes == 4 && point < 0x10000);
  const bool half = point >= 0xd800 && point < 0xe000;
  return longer_than_needed || half || point > 0x10ffff ? Character{} : Character{point, bytes};
}

// The one at `at`, which is advanced; U+FFFD for a byte that begins none.
constexpr char32_t next_code_point(std::string_view text, std::size_t& at) {
  const Character character = first_character(text.substr(at));
  at += character.bytes == 0 ? 1 : character.bytes;
  return character.point;
}

inline void append_code_point(std::string& utf8, char32_t point) {
  const auto add = [&utf8](char32_t byte) { utf8 += static_cast<char>(byte); };
  const auto tail = [&](int shift) { add(0x80 | (point >> shift & 0x3f)); };
  if (point < 0x80) {
    add(point);
  } else if (point < 0x800) {
    add(0xc0 | point >> 6), tail(0);
  } else if (point < 0x10000) {
    add(0xe0 | point >> 12), tail(6), tail(0);
  } else {
    add(0xf0 | point >> 18), tail(12), tail(6), tail(0);
  }
}

// Calls `with` for each unit of UTF-16 that `point` has: one or two.
template <typename With>
void each_utf16_unit(char32_t point, With with) {
  if (point < 0x10000) return with(static_cast<char16_t>(point));
  with(static_cast<char16_t>(0xd800 + ((point - 0x10000) >> 10)));
  with(static_cast<char16_t>(0xdc00 + ((point - 0x10000) & 0x3ff)));
}

}  // namespace glovebox::base
