// Letters, digits and spaces of ASCII, in every locale alike.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace glovebox::base {

constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
constexpr bool is_lower(char c) {
  return c >= 'a' && c <= 'z';
}
constexpr bool is_upper(char c) {
  return c >= 'A' && c <= 'Z';
}
constexpr bool is_letter(char c) {
  return is_lower(c) || is_upper(c);
}
constexpr bool is_alnum(char c) {
  return is_letter(c) || is_digit(c);
}
constexpr char to_lower(char c) {
  return is_upper(c) ? static_cast<char>(c + ('a' - 'A')) : c;
}
constexpr char to_upper(char c) {
  return is_lower(c) ? static_cast<char>(c - ('a' - 'A')) : c;
}
// Of a hexadecimal digit in either case; negative for any other character.
constexpr int hex_value(char c) {
  if (is_digit(c)) return c - '0';
  const char lower = to_lower(c);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

// One digit or more, and nothing else.
constexpr bool is_number(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_digit);
}
// One letter, digit or character of `more`, or several, and nothing else.
constexpr bool is_word(std::string_view text, std::string_view more) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [more](char c) { return is_alnum(c) || more.find(c) != more.npos; });
}
// A word of `_` and `more` that does not begin with a digit, nor with one of `more`.
constexpr bool is_identifier(std::string_view text, std::string_view more = "") {
  return !text.empty() && (is_letter(text[0]) || text[0] == '_') &&
         std::all_of(text.begin(), text.end(),
                     [more](char c) { return is_alnum(c) || c == '_' || more.find(c) != more.npos; });
}
// A method of HTTP, or the name of a field (RFC 9110).
constexpr bool is_http_token(std::string_view text) {
  return is_word(text, "!#$%&'*+-.^_`|~");
}

inline std::string lower_case(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(), to_lower);
  return lower;
}
constexpr bool equal_ignoring_case(std::string_view left, std::string_view right) {
  return std::equal(left.begin(), left.end(), right.begin(), right.end(),
                    [](char a, char b) { return to_lower(a) == to_lower(b); });
}

inline constexpr std::string_view kSpaces = " \t\r\n";

constexpr bool is_blank(std::string_view text) {
  return text.find_first_not_of(kSpaces) == text.npos;
}
constexpr std::string_view trimmed(std::string_view text, std::string_view spaces = kSpaces) {
  text.remove_prefix(std::min(text.find_first_not_of(spaces), text.size()));
  return text.substr(0, text.find_last_not_of(spaces) + 1);
}

}  // namespace glovebox::base
