#include "privacy/rules/phone_numbers.h"

#include <algorithm>
#include <array>

#include "privacy/characters.h"
#include "privacy/rules/context_words.h"
#include "privacy/rules/numbering_plans.h"

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
  std::array<char, kMostDigits> all{};    // its digits
  std::size_t trunk_group = kMostGroups;  // a (0) that is not dialled from abroad
  bool plus = false;
  bool bracket = false;
  bool extension = false;

  std::string_view text() const { return {all.data(), digits}; }
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

// What may be between groups: one of " -./" and brackets; spaces around a slash or a dash if `wide`; and + if
// `plus_is_space`, as in a form's data. 0 for anything else.
std::size_t separator_at(std::string_view text, std::size_t position, bool wide, bool plus_is_space, bool& open,
                         char& kind) {
  const auto is_joint = [](char c) { return c == '/' || c == '-'; };
  std::size_t end = position;
  kind = '\0';
  if (open && at(text, end) == ')') {
    open = false;
    kind = text[end++];
  }
  if (wide && at(text, end) == ' ' && is_joint(at(text, end + 1))) ++end;
  if (const char c = at(text, end); c == ' ' || c == '.' || is_joint(c) || (plus_is_space && c == '+')) {
    kind = c == '+' ? ' ' : c;
    ++end;
    if (wide && is_joint(c) && at(text, end) == ' ') ++end;
  }
  if (!open && at(text, end) == '(') {
    open = true;
    if (kind == '\0') kind = '(';
    ++end;
  }
  return end > position && is_digit(at(text, end)) ? end - position : 0;
}

// Whether a bracket before `position` encloses a group of the number: +49 (0)30 901820, but not 555-0132 (24/7).
bool encloses_group(std::string_view text, std::size_t position) {
  while (is_digit(at(text, position))) ++position;
  return at(text, position) == ')' && (is_digit(at(text, position + 1)) || is_digit(at(text, position + 2)));
}

// 259.735.7502x459, ext. 12
std::size_t extension_end(std::string_view text, std::size_t from) {
  std::size_t tail = from;
  if (privacy::at(text, tail) == ' ') ++tail;
  if (to_lower(privacy::at(text, tail)) == 'e' && to_lower(privacy::at(text, tail + 1)) == 'x' &&
      to_lower(privacy::at(text, tail + 2)) == 't') {
    tail += 3;
    if (privacy::at(text, tail) == '.') ++tail;
    if (privacy::at(text, tail) == ' ') ++tail;
  } else if (privacy::at(text, tail) == 'x') {
    ++tail;
  } else {
    return from;
  }
  std::size_t end = tail;
  while (end - tail < 7 && is_digit(privacy::at(text, end))) ++end;
  return end - tail >= 2 && end - tail <= 6 ? end : from;
}

bool is_named(std::string_view text, std::size_t at) {
  return is_named_before(text, at, Topic::kPhone) || is_named_before(text, at, Topic::kCalling);
}

enum class Plus { kIsSpace, kEndsNumber };

// Whether there is a number. `has_plus` is set if a + was read as a space.
bool read(std::string_view text, std::size_t at, Plus plus, Written& number, bool& has_plus) {
  number.begin = at;
  std::size_t position = at;
  bool open = false;
  bool opened = false;
  char separator = '\0';
  if (text[position] == '+') {
    number.plus = true;
    ++position;
  }
  if (privacy::at(text, position) == '(') {
    open = opened = true;
    ++position;
  }
  // 0221 / 470-5151; between other numbers such a dash is a range.
  const bool wide = number.plus || opened || privacy::at(text, position) == '0';
  while (number.groups < kMostGroups) {
    std::size_t end = position;
    while (end - position <= kMostDigits && is_digit(privacy::at(text, end))) ++end;
    const std::size_t size = end - position;
    if (size == 0) return false;
    if (number.digits + size > kMostDigits) {
      if (number.groups < 2) return false;
      break;
    }
    if (open && size == 1 && text[position] == '0' && number.groups > 0) number.trunk_group = number.groups;
    for (std::size_t i = 0; i < size; ++i) number.all[number.digits + i] = text[position + i];
    number.separators[number.groups] = separator;
    number.sizes[number.groups++] = size;
    number.digits += size;
    number.end = end;
    bool still_open = open;
    const bool plus_is_space =
        plus == Plus::kIsSpace && (wide || (privacy::at(text, end) == '+' && is_named(text, at)));
    const std::size_t gap = separator_at(text, end, wide, plus_is_space, still_open, separator);
    has_plus |= plus_is_space && text.substr(end, gap).find('+') != std::string_view::npos;
    if (gap == 0 || (still_open && !open && !encloses_group(text, end + gap))) break;
    // Brackets of a phone number enclose one group: (415) 555-0132, but not (9.72-15)/17.52.
    if (open && !still_open && !(opened && number.groups > 1 && !number.bracket)) number.bracket = true;
    if (open && !still_open && !number.bracket) return false;
    open = still_open;
    position = end + gap;
  }
  // pp. 211-227 (2003)
  if (open && number.groups > 1 && !(opened && !number.bracket)) return false;
  // (415 555 0132) is in brackets and has none of its own.
  if (opened && !number.bracket && !number.plus) ++number.begin;
  const std::size_t end = extension_end(text, number.end);
  number.extension = end > number.end;
  number.end = end;
  return true;
}

// 2000-04-16, 16.4.2000, 12:30: dates and times are written in groups as well. So are US social security numbers.
bool is_something_else(const Written& number) {
  if (number.text().ends_with("00000") && number.groups == 1) return true;
  if (number.plus || number.bracket) return false;
  const auto is_century = [&](char a, char b) { return (a == '1' && b == '9') || (a == '2' && b == '0'); };
  if (number.groups >= 3 && number.sizes[0] == 4 && number.sizes[1] <= 2 && number.sizes[2] <= 2 &&
      is_century(number.all[0], number.all[1]) && number.separators[1] != ' ')
    return true;
  if (number.groups >= 3 && number.sizes[0] <= 2 && number.sizes[1] <= 2 && number.sizes[2] == 4 &&
      number.separators[1] != ' ')
    return true;
  if (number.is({8}) && is_century(number.all[0], number.all[1]) && number.all[4] <= '1' && number.all[6] <= '3')
    return true;
  if (number.is({4, 4}) && is_century(number.all[0], number.all[1])) return true;  // years
  if (number.is({3, 2, 4}) && number.separated_by('-')) return true;
  std::size_t singles = 0;
  for (std::size_t i = 0; i < number.groups; ++i) singles += number.sizes[i] == 1;
  return singles > 1;
}

bool is_international_form(const Written& number) {
  if (number.trunk_group == kMostGroups) return is_international(number.text());
  // +49 (0)30 901820
  std::array<char, kMostDigits> without{};
  std::size_t size = 0;
  std::size_t digit = 0;
  for (std::size_t i = 0; i < number.groups; ++i) {
    for (std::size_t n = 0; n < number.sizes[i]; ++n, ++digit)
      if (i != number.trunk_group) without[size++] = number.all[digit];
  }
  return is_international({without.data(), size});
}

// The score of the notation alone. From 0.7 on, little else is written like this; below 0.5 a word must help.
double shape_score(const Written& number) {
  const std::size_t digits = number.digits;
  if (number.plus) return digits < 8 ? 0.3 : is_international_form(number) ? 0.9 : 0.45;
  const bool zero = number.all[0] == '0';
  if (number.groups == 1) return zero && digits >= 10 && digits <= 11 ? 0.3 : digits == 10 || digits == 11 ? 0.2 : 0.15;
  const bool north_american = number.is({3, 3, 4}) || number.is({1, 3, 3, 4});
  if (number.bracket) return digits >= 8 ? 0.8 : 0.35;
  if (north_american && (number.separated_by('-') || number.separated_by('.'))) return 0.75;
  // 252.227-7013 is a section of a law.
  if (north_american && number.separators[1] != '.') return 0.55;
  if (number.extension && digits >= 10) return 0.7;
  const bool international = zero && number.all[1] == '0' && number.sizes[0] <= 5 && digits >= 10;
  if (international && number.groups >= 3 && is_international(number.text().substr(2))) return 0.7;
  if (number.is({2, 2, 2, 2, 2}) && zero) return 0.7;
  const bool decimal = number.separated_by('.');
  const bool known = !decimal && is_national({number.sizes.data(), number.groups}, number.text());
  if (number.is({5, 4}) && number.separated_by('-')) return 0.3;  // a ZIP code
  const bool trunk = zero && number.all[1] != '0' && number.sizes[0] >= 2 && digits >= 9 && digits <= 12 && !decimal;
  if (trunk && (known || number.groups >= 3)) return 0.55;
  if (trunk) return 0.4;
  // 0221 / 470-0
  if (zero && number.all[1] != '0' && number.separators[1] == '/' && number.sizes[0] >= 3) return 0.55;
  if (known && number.groups >= 4) return 0.5;
  return known ? 0.35 : 0.3;
}

// "Mrs. Miller, 370 3911 Fourth Avenue"
bool may_be_house(std::string_view text, const Written& number) {
  const char behind = privacy::at(text, number.end + 1);
  return number.groups == 2 && !number.bracket && privacy::at(text, number.end) == ' ' && behind >= 'A' &&
         behind <= 'Z';
}

bool is_called(std::string_view text, const Written& number) {
  if (number.groups > 1 || number.all[0] == '0')
    return is_named_before(text, number.begin, Topic::kCalling) || is_named_after(text, number.end, Topic::kCalling);
  // A Unix time has ten digits, of which the first is a one; no number without a trunk prefix begins like that.
  if (number.digits == 10 && number.all[0] == '1') return false;
  // Bare digits need the word in their own sentence.
  const std::size_t lowest = number.begin > 64 ? number.begin - 64 : 0;
  const std::string_view stretch = text.substr(lowest, number.begin - lowest);
  const std::size_t end = stretch.find_last_of(".;=");
  const std::size_t sentence = end == std::string_view::npos ? lowest : lowest + end + 1;
  return is_named_before(text.substr(sentence), number.begin - sentence, Topic::kCalling) ||
         is_named_after(text, number.end, Topic::kCalling);
}

// 74 68 69 73 20 69: part of a longer row of numbers.
bool is_in_row(std::string_view text, const Written& number) {
  const auto is_near = [&](std::size_t space, std::size_t beyond) {
    return privacy::at(text, space) == ' ' && is_hex(privacy::at(text, beyond));
  };
  const bool before_it = number.begin > 1 && is_near(number.begin - 1, number.begin - 2) &&
                         (number.begin < 4 || !is_letter(text[number.begin - 3]) || is_hex(text[number.begin - 3]));
  const bool behind = is_near(number.end, number.end + 1) && is_hex(privacy::at(text, number.end + 2)) &&
                      !is_letter(privacy::at(text, number.end + 3));
  return before_it || behind;
}

// Behind a word of Hebrew, Arabic, Persian or Urdu: a price has no zero before it, and words for a number have many
// forms.
bool is_in_semitic_text(std::string_view text, std::size_t at) {
  while (at > 0 && (text[at - 1] == ' ' || text[at - 1] == ':')) --at;
  const auto lead = static_cast<unsigned char>(before(text, at > 0 ? at - 1 : 0));
  return lead >= 0xd6 && lead <= 0xdb;
}

// How much the words around it add.
double named_by(std::string_view text, const Written& number) {
  const std::size_t at = number.begin;
  if (is_named_before(text, at, Topic::kPhone) || is_named_after(text, number.end, Topic::kPhone)) return 0.4;
  if (is_called(text, number)) return 0.4;
  if (number.all[0] == '0' && number.digits >= 10 && number.digits <= 11 && is_in_semitic_text(text, at)) return 0.25;
  const bool grouped = number.groups > 1 ? !number.separated_by('.') : number.all[0] == '0';
  if (may_be_house(text, number)) return -0.2;
  return grouped && is_named_before(text, at, Topic::kPerson) ? 0.25 : 0;
}

std::optional<Finding> phone_of(std::string_view text, std::size_t at, Plus plus, bool& has_plus) {
  Written number;
  if (!read(text, at, plus, number, has_plus) || number.digits < kFewestDigits || is_something_else(number))
    return std::nullopt;
  const char next = privacy::at(text, number.end);
  if (is_word(next) || next == '_' || next == '%' || (next == '@' && !number.plus)) return std::nullopt;
  if ((next == '-' || next == '.' || next == '/' || next == ':') && is_digit(privacy::at(text, number.end + 1)))
    return std::nullopt;
  double score = shape_score(number);
  // In Chinese there is no space before a number, but neither is there before a price.
  if (static_cast<unsigned char>(before(text, at)) >= 0x80 && !number.plus) score = std::min(score, 0.35);
  const bool worded = has_words_near(text, at, number.end);
  // "order 415 555 0132", but "order by phone: 415 555 0132".
  const auto is_named = [&](Topic topic) {
    return is_named_before(text, at, topic) || is_named_after(text, number.end, topic);
  };
  const bool other = worded && (score < 0.7 ? is_other_number(text, at) || is_article(text, at)
                                            : score < 0.8 && is_article(text, at));  // "part number 415-555-0132"
  if (other && !is_named(Topic::kPhone) && !is_named(Topic::kCalling)) return std::nullopt;
  const double named = score < 0.9 && (worded || number.all[0] == '0') ? named_by(text, number) : 0;
  if (named <= 0 && score < 0.75 && is_in_row(text, number)) return std::nullopt;
  score += named;
  if (score < kReportedFrom) return std::nullopt;
  return Finding{Entity::kPhone, number.begin, number.end, score > 1 ? 1 : score, {}};
}

}  // namespace

std::optional<Finding> find_phone(std::string_view text, std::size_t at) {
  const char previous = before(text, at);
  if (previous == '_' || previous == '$' || previous == '#' || previous == '.') return std::nullopt;
  if (previous == '-' && at > 1 && is_word(text[at - 2])) return std::nullopt;
  if (previous == '/' && at > 1 && is_word(text[at - 2]) && text[at] != '+') return std::nullopt;  // of a path
  bool has_plus = false;
  const auto found = phone_of(text, at, Plus::kIsSpace, has_plus);
  // +49301234567+20251118: what follows is another number.
  return found || !has_plus ? found : phone_of(text, at, Plus::kEndsNumber, has_plus);
}

}  // namespace glovebox::privacy
