// Classes of bytes, by table: the scanner needs them for each byte of the text.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace glovebox::privacy {

enum CharacterClass : std::uint16_t {
  kDigit = 1,
  kUpper = 2,
  kLower = 4,
  kHexLetter = 8,
  kBase64 = 16,  // including the URL-safe alphabet
  kMailName = 32,
  kHost = 64,
  kAnchor = 128,  // not part of a word, and something may begin or have begun there
  kKey = 256,     // of the name of a setting
  kGap = 512,     // may be between the groups of a number that a word names
};

namespace detail {
constexpr std::array<std::uint16_t, 256> make_classes() {
  std::array<std::uint16_t, 256> classes{};
  for (int c = 0; c < 256; ++c) {
    std::uint16_t is = 0;
    if (c >= '0' && c <= '9') is |= kDigit;
    if (c >= 'A' && c <= 'Z') is |= kUpper;
    if (c >= 'a' && c <= 'z') is |= kLower;
    if ((c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F')) is |= kHexLetter;
    const bool word = (is & (kDigit | kUpper | kLower)) != 0;
    if (word || c == '+' || c == '/' || c == '-' || c == '_' || c == '=') is |= kBase64;
    if (word || c == '.' || c == '_' || c == '%' || c == '+' || c == '-' || c == '\'' || c == '!' || c == '~' ||
        c >= 0x80)
      is |= kMailName;
    if (word || c == '.' || c == '-' || c >= 0x80) is |= kHost;
    if (word || c == '_' || c == '-' || c == '.' || c >= 0x80) is |= kKey;
    // But not what begins a value of its own.
    if ((c >= ' ' || c == '\t') && !word &&
        std::string_view("{}<>=&@$%?\x7f").find(static_cast<char>(c)) == std::string_view::npos)
      is |= kGap;
    if (c == '@' || c == '+' || c == '(' || c == '-' || c == ':' || c == '=' || c == '>') is |= kAnchor;
    // The first bytes of пароль, 密码, パスワード and 비밀번호.
    if (c == 0xd0 || c == 0xe5 || c == 0xe3 || c == 0xeb) is |= kAnchor;
    classes[static_cast<std::size_t>(c)] = is;
  }
  return classes;
}
inline constexpr std::array<std::uint16_t, 256> kClasses = make_classes();
}  // namespace detail

constexpr std::uint16_t classes_of(char c) {
  return detail::kClasses[static_cast<unsigned char>(c)];
}
constexpr bool is_digit(char c) {
  return (classes_of(c) & kDigit) != 0;
}
constexpr bool is_letter(char c) {
  return (classes_of(c) & (kUpper | kLower)) != 0;
}
constexpr bool is_word(char c) {
  return (classes_of(c) & (kDigit | kUpper | kLower)) != 0;
}
constexpr bool is_hex(char c) {
  return (classes_of(c) & (kDigit | kHexLetter)) != 0;
}
constexpr char to_lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
}
constexpr char to_upper(char c) {
  return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
}
constexpr int hex_value(char c) {
  return is_digit(c) ? c - '0' : to_lower(c) - 'a' + 10;
}

// The byte at that index, or 0 outside of the text.
constexpr char at(std::string_view text, std::size_t index) {
  return index < text.size() ? text.data()[index] : '\0';  // checked once
}
constexpr char before(std::string_view text, std::size_t index) {
  return index > 0 && index <= text.size() ? text.data()[index - 1] : '\0';
}

}  // namespace glovebox::privacy
