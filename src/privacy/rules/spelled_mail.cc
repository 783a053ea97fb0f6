#include "privacy/rules/spelled_mail.h"

#include <algorithm>

#include "privacy/characters.h"

namespace glovebox::privacy {
namespace {

constexpr std::size_t kLongestPart = 64;  // RFC 5321
constexpr std::size_t kMostLabels = 8;

bool opens(char c) {
  return c == '(' || c == '[' || c == '{' || c == '<';
}
bool closes(char c) {
  return c == ')' || c == ']' || c == '}' || c == '>';
}
bool is_inner_byte(char c) {
  return (static_cast<unsigned char>(c) & 0xc0) == 0x80;
}
// Of UTF-8: of a letter with an accent, but not of a quotation mark.
bool is_of_letter(char c) {
  return is_word(c) || is_inner_byte(c) ||
         (static_cast<unsigned char>(c) >= 0xc3 && static_cast<unsigned char>(c) <= 0xdb);
}
bool is_of_name(char c) {
  return is_of_letter(c) || c == '.' || c == '_' || c == '-' || c == '+' || c == '\'' || c == '!';
}
bool is_of_label(char c) {
  return is_of_letter(c) || c == '-';
}

struct Dot {
  std::size_t end = 0;  // 0: there is none
  bool spelled = false;
};

// A dot, also in brackets, or "dot" in brackets or between spaces.
Dot dot_at(std::string_view text, std::size_t position) {
  if (at(text, position) == '.') return {position + 1, false};
  std::size_t end = position;
  if (at(text, end) == ' ') ++end;
  const bool bracket = opens(at(text, end));
  if (bracket) ++end;
  if (bracket && at(text, end) == '.' && closes(at(text, end + 1))) return {end + 2, true};
  if (!bracket && end == position) return {};
  for (const char letter : std::string_view("dot"))
    if (to_lower(at(text, end++)) != letter) return {};
  if (bracket) {
    if (!closes(at(text, end++))) return {};
    if (at(text, end) == ' ') ++end;
  } else if (at(text, end++) != ' ') {
    return {};
  }
  return {end, true};
}

}  // namespace

std::optional<Finding> find_spelled_email(std::string_view text, std::size_t at) {
  std::size_t name_end = at;
  std::size_t host = at + 2;
  const bool bracket = opens(before(text, name_end)) && closes(privacy::at(text, host));
  if (bracket) {
    --name_end;
    ++host;
  } else if (before(text, name_end) != ' ' || privacy::at(text, host) != ' ') {
    return std::nullopt;
  }
  if (before(text, name_end) == ' ') --name_end;
  if (privacy::at(text, host) == ' ') ++host;
  std::size_t begin = name_end;
  while (begin > 0 && name_end - begin < kLongestPart && is_of_name(text[begin - 1])) --begin;
  while (begin < name_end && (!is_of_letter(text[begin]) || is_inner_byte(text[begin]))) ++begin;
  if (begin == name_end || !is_of_letter(text[name_end - 1])) return std::nullopt;
  std::size_t end = 0;
  bool spelled = false;
  std::size_t label = host;
  for (std::size_t labels = 0; labels < kMostLabels; ++labels) {
    std::size_t label_end = label;
    while (label_end - label < kLongestPart && is_of_label(privacy::at(text, label_end))) ++label_end;
    if (label_end == label) break;
    const bool letters = std::all_of(text.begin() + static_cast<std::ptrdiff_t>(label),
                                     text.begin() + static_cast<std::ptrdiff_t>(label_end), is_letter);
    if (labels > 0 && letters && label_end - label >= 2) end = label_end;
    const Dot dot = dot_at(text, label_end);
    if (dot.end == 0) break;
    spelled |= dot.spelled;
    label = dot.end;
  }
  // "meet Bob at example.com" names a place.
  if (end == 0 || (!bracket && !spelled)) return std::nullopt;
  return Finding{Entity::kEmail, begin, end, 0.8, {}};
}

std::string plain_email(std::string_view address) {
  if (address.find('@') != std::string_view::npos) return std::string(address);
  std::string plain;
  std::string word;
  bool has_sign = false;
  const auto finish = [&] {
    std::string lower = word;
    std::transform(lower.begin(), lower.end(), lower.begin(), to_lower);
    const bool sign = lower == "at" && !has_sign && !plain.empty();
    has_sign |= sign;
    plain += sign ? "@" : lower == "dot" && has_sign ? "." : word;
    word.clear();
  };
  for (const char c : address) {
    if (is_of_name(c)) {
      word += c;
    } else {
      finish();
    }
  }
  finish();
  return plain;
}

}  // namespace glovebox::privacy
