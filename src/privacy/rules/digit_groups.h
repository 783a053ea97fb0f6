// Groups of digits with separators between them, as cards and ids are written.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "privacy/characters.h"

namespace glovebox::privacy {

struct DigitGroups {
  struct Group {
    std::size_t begin = 0;
    std::size_t end = 0;
    char separator = '\0';  // before it
    bool wide = false;      // with spaces around the separator, or two of them
    std::size_t size() const { return end - begin; }
  };
  static constexpr std::size_t kMost = 8;
  static constexpr std::size_t kMostDigits = 24;
  std::array<Group, kMost> groups{};
  std::size_t count = 0;
  std::array<char, kMostDigits> digits{};
  std::size_t total = 0;

  std::string_view first_digits(std::size_t n) const { return {digits.data(), n}; }
};

// What is between groups. Narrow: one of " -.". Wide: also '/', '_' and '+' (a space in a form's data), and spaces
// around, up to three bytes.
enum class Gaps { kNarrow, kWide };

struct Gap {
  std::size_t size = 0;  // 0: there is none
  char separator = '\0';
};

inline Gap gap_at(std::string_view text, std::size_t at, Gaps gaps) {
  const auto is_joint = [&](char c) {
    return c == '-' || c == '.' || (gaps == Gaps::kWide && (c == '/' || c == '_' || c == '+'));
  };
  const char first = privacy::at(text, at);
  if (first != ' ' && !is_joint(first)) return {};
  if (gaps == Gaps::kNarrow) return {1, first};
  Gap gap{1, first};
  for (; gap.size < 3; ++gap.size) {
    const char c = privacy::at(text, at + gap.size);
    if (c != ' ' && (gap.separator != ' ' || !is_joint(c))) break;
    if (c != ' ') gap.separator = c;
  }
  return gap;
}

// From `at`, where a group begins. `total` is 0 if it is too long to be anything.
inline DigitGroups read_digit_groups(std::string_view text, std::size_t at, Gaps gaps = Gaps::kNarrow) {
  DigitGroups read;
  std::size_t position = at;
  Gap gap;
  while (read.count < DigitGroups::kMost) {
    std::size_t end = position;
    while (end < text.size() && is_digit(text[end])) ++end;
    if (end == position || read.total + (end - position) > DigitGroups::kMostDigits) break;
    for (std::size_t i = position; i < end; ++i) read.digits[read.total++] = text[i];
    read.groups[read.count++] = {position, end, gap.separator, gap.size > 1};
    gap = gap_at(text, end, gaps);
    if (gap.size == 0) break;
    position = end + gap.size;
  }
  return read;
}

// Whether the byte after it ends a number: no letter, digit or decimal.
inline bool ends_number(std::string_view text, std::size_t end) {
  const char next = at(text, end);
  if (is_word(next) || next == '_') return false;
  return !((next == '.' || next == '-') && is_digit(at(text, end + 1)));
}

}  // namespace glovebox::privacy
