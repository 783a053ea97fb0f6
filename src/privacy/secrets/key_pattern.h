// The patterns in the table of vendors' keys: literal text, and counted characters of a class. "PMAK-%x{24}-%x{34}" is
// PMAK-, 24 hexadecimal digits, a dash and 34 more.
//
//   %a letters   %d digits   %x hexadecimal   %U capitals and digits   %l small letters and digits   %w letters and
//   digits %u those, - and _   %b those, + / and =   %o those of %u and points   %h letters, digits and -
//
// Each class takes as many characters as it may and never backtracks, so time is linear; {24}, {20,} and {20,64} are
// counts.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "privacy/characters.h"

namespace glovebox::privacy {

constexpr bool is_of_kind(char c, char kind) {
  const bool upper = c >= 'A' && c <= 'Z';
  const bool lower = c >= 'a' && c <= 'z';
  switch (kind) {
    case 'a': return upper || lower;
    case 'd': return is_digit(c);
    case 'x': return is_hex(c);
    case 'U': return upper || is_digit(c);
    case 'l': return lower || is_digit(c);
    case 'w': return is_word(c);
    case 'u': return is_word(c) || c == '-' || c == '_';
    case 'b': return is_word(c) || c == '-' || c == '_' || c == '+' || c == '/' || c == '=';
    case 'o': return is_word(c) || c == '-' || c == '_' || c == '.';
    case 'h': return is_word(c) || c == '-';
    default: return false;
  }
}

// The literal beginning.
constexpr std::string_view literal_beginning(std::string_view pattern) {
  return pattern.substr(0, pattern.find('%'));
}

// Where the key that begins at `at` ends; nothing if there is none, or it continues.
constexpr std::optional<std::size_t> key_end(std::string_view pattern, std::string_view text, std::size_t at) {
  std::size_t position = at;
  char last = '\0';
  for (std::size_t i = 0; i < pattern.size();) {
    if (pattern[i] != '%') {
      if (privacy::at(text, position) != pattern[i]) return std::nullopt;
      ++position;
      ++i;
      last = '\0';
      continue;
    }
    last = pattern[i + 1];
    i += 3;  // and the bracket
    const auto number = [&] {
      std::size_t value = 0;
      while (is_digit(privacy::at(pattern, i))) value = value * 10 + static_cast<std::size_t>(pattern[i++] - '0');
      return value;
    };
    constexpr std::size_t kLong = 512;
    const std::size_t least = number();
    std::size_t most = least;
    if (privacy::at(pattern, i) == ',') {
      ++i;
      most = privacy::at(pattern, i) == '}' ? kLong : number();
    }
    ++i;
    std::size_t count = 0;
    while (count < most && is_of_kind(privacy::at(text, position), last)) {
      ++position;
      ++count;
    }
    if (count < least) return std::nullopt;
  }
  const char next = privacy::at(text, position);
  if (last == '\0' ? is_word(next) : is_of_kind(next, last)) return std::nullopt;
  // The end of a sentence or a path may follow.
  while (last == 'o' && text[position - 1] == '.') --position;
  while (last == 'b' && text[position - 1] == '/') --position;
  return position;
}

}  // namespace glovebox::privacy
