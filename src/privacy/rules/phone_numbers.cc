#include "privacy/rules/phone_numbers.h"

#include <array>

#include "privacy/characters.h"
#include "privacy/rules/context_words.h"

namespace glovebox::privacy {
namespace {

constexpr std::size_t kMostGroups = 8;
constexpr std::size_t kFewestDigits = 7;
constexpr std::size_t kMostDigits = 15;  // E.164

struct Written {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::array<std::size_t, kMostGroups> sizes{};
  std::array<char, kMostGroups> separators{};  // before each group
  std::size_t groups = 0;
  std::size_t digits = 0;
  std::array<char, 4> first{};  // the first digits
  bool plus = false;
  bool bracket = false;
  bool extension = false;

  bool is(std::initializer_list<std::size_t> shape) const {
    std::size_t i = 0;
    for (const std::size_t size : shape)
      if (i >= groups || sizes[i++] != size) return false;
    return i == groups;
  }
  bool separated_by(char separator) const {
    for (std::size_t i = 1; i < groups; ++i)
      if (separators[i] != separator) return false;
    return groups > 1;
  }
};

// Up to two bytes between groups: one of " -./", and brackets. 0 when something else stands there.
std::size_t separator_at(std::string_view text, std::size_t position, bool& open, char& kind) {
  std::size_t size = 0;
  kind = '\0';
  while (size < 3) {
    const char c = at(text, position + size);
    if (c == ' ' || c == '-' || c == '.' || c == '/') {
      if (kind != '\0') return 0;
      kind = c;
    } else if (c == '(' && !open) {
      open = true;
    } else if (c == ')' && open) {
      open = false;
    } else {
      break;
    }
    ++size;
  }
  if (kind == '\0' && size > 0) kind = ')';
  return is_digit(at(text, position + size)) ? size : 0;
}

std::optional<Written> read(std::string_view text, std::size_t at) {
  Written number;
  number.begin = at;
  std::size_t position = at;
  bool open = false;
  char separator = '\0';
  if (text[position] == '+') {
    number.plus = true;
    ++position;
  }
  if (privacy::at(text, position) == '(') {
    number.bracket = open = true;
    ++position;
  }
  while (number.groups < kMostGroups) {
    std::size_t end = position;
    while (end - position <= kMostDigits && is_digit(privacy::at(text, end))) ++end;
    const std::size_t size = end - position;
    if (size == 0) return std::nullopt;
    if (number.digits + size > kMostDigits) {
      if (number.groups < 2) return std::nullopt;
      break;
    }
    for (std::size_t i = 0; i < size && number.digits + i < number.first.size(); ++i)
      number.first[number.digits + i] = text[position + i];
    number.separators[number.groups] = separator;
    number.sizes[number.groups++] = size;
    number.digits += size;
    number.end = end;
    bool still_open = open;
    const std::size_t gap = separator_at(text, end, still_open, separator);
    if (gap == 0) {
      if (open && privacy::at(text, end) == ')') number.end = end + 1;
      break;
    }
    if (still_open && !open) number.bracket = true;
    open = still_open;
    position = end + gap;
  }
  // 259.735.7502x459
  std::size_t tail = number.end;
  if (privacy::at(text, tail) == ' ') ++tail;
  if (to_lower(privacy::at(text, tail)) == 'e' && to_lower(privacy::at(text, tail + 1)) == 'x' &&
      to_lower(privacy::at(text, tail + 2)) == 't') {
    tail += 3;
    if (privacy::at(text, tail) == '.') ++tail;
    if (privacy::at(text, tail) == ' ') ++tail;
  } else if (privacy::at(text, tail) == 'x') {
    ++tail;
  } else {
    return number;
  }
  std::size_t end = tail;
  while (end - tail < 7 && is_digit(privacy::at(text, end))) ++end;
  if (end - tail >= 2 && end - tail <= 6) {
    number.extension = true;
    number.end = end;
  }
  return number;
}

// 2000-04-16, 16.4.2000, 12:30: dates and times are written in groups as well. So are US social security numbers.
bool is_something_else(const Written& number) {
  if (number.plus || number.bracket) return false;
  const auto is_century = [&](char a, char b) { return (a == '1' && b == '9') || (a == '2' && b == '0'); };
  if (number.groups >= 3 && number.sizes[0] == 4 && number.sizes[1] <= 2 && number.sizes[2] <= 2 &&
      is_century(number.first[0], number.first[1]) && number.separators[1] != ' ')
    return true;
  if (number.groups >= 3 && number.sizes[0] <= 2 && number.sizes[1] <= 2 && number.sizes[2] == 4 &&
      number.separators[1] != ' ')
    return true;
  if (number.is({4, 4}) && is_century(number.first[0], number.first[1])) return true;  // years
  if (number.is({3, 2, 4}) && number.separated_by('-')) return true;
  std::size_t singles = 0;
  for (std::size_t i = 0; i < number.groups; ++i) singles += number.sizes[i] == 1;
  return singles > 1;
}

// What the writing alone says.
double shape_score(const Written& number) {
  const std::size_t digits = number.digits;
  if (number.plus) return digits >= 8 ? 0.9 : 0.3;
  if (number.groups == 1) return digits == 10 || digits == 11 ? 0.2 : 0.15;
  const bool north_american = number.is({3, 3, 4}) || number.is({1, 3, 3, 4});
  if (number.bracket) return digits >= 9 ? 0.8 : 0.35;
  if (north_american && (number.separated_by('-') || number.separated_by('.'))) return 0.75;
  if (north_american) return 0.55;
  if (number.extension && digits >= 10) return 0.7;
  const bool international = number.first[0] == '0' && number.first[1] == '0' && number.sizes[0] <= 5;
  if (international && digits >= 10 && number.groups >= 3) return 0.7;
  if (number.is({2, 2, 2, 2, 2}) && number.first[0] == '0') return 0.7;
  const bool trunk = number.first[0] == '0' && number.first[1] != '0' && number.sizes[0] >= 2;
  if (trunk && digits >= 9 && digits <= 11 && number.groups >= 3 && !number.separated_by('.')) return 0.55;
  return 0.3;
}

}  // namespace

std::optional<Finding> find_phone(std::string_view text, std::size_t at) {
  const char previous = before(text, at);
  if (previous == '_' || previous == '$' || previous == '#' || previous == '.' ||
      static_cast<unsigned char>(previous) >= 0x80)
    return std::nullopt;
  if (previous == '-' && at > 1 && is_word(text[at - 2])) return std::nullopt;
  const auto number = read(text, at);
  if (!number || number->digits < kFewestDigits || is_something_else(*number)) return std::nullopt;
  const char next = privacy::at(text, number->end);
  if (is_word(next) || next == '_' || next == '%' || next == '@') return std::nullopt;
  if ((next == '-' || next == '.' || next == '/' || next == ':') && is_digit(privacy::at(text, number->end + 1)))
    return std::nullopt;
  double score = shape_score(*number);
  if (is_named_before(text, at, Topic::kPhone) || is_named_after(text, number->end, Topic::kPhone)) {
    score += 0.4;
  } else if (score < 0.7 && is_other_number(text, at)) {
    return std::nullopt;
  }
  if (score < kReportedFrom) return std::nullopt;
  return Finding{Entity::kPhone, at, number->end, score > 1 ? 1 : score, {}};
}

}  // namespace glovebox::privacy
