#include "privacy/rules/birth_dates.h"

#include <cstdint>

#include "privacy/characters.h"
#include "privacy/rules/context_words.h"

namespace glovebox::privacy {
namespace {

struct Number {
  unsigned value = 0;
  std::size_t size = 0;
};

Number number_at(std::string_view text, std::size_t position) {
  Number number;
  while (number.size < 9 && is_digit(at(text, position + number.size)))
    number.value = number.value * 10 + static_cast<unsigned>(text[position + number.size++] - '0');
  return number;
}

constexpr std::size_t kShortestMonth = 3;  // in letters

// The length of a month's name at that position, or 0.
std::size_t month_at(std::string_view text, std::size_t position) {
  // Most words begin with another letter than any month. Months in Cyrillic begin with the bytes D0 and D1.
  constexpr std::uint32_t kFirst = [] {
    std::uint32_t letters = 0;
    for (const char c : std::string_view("jfmasondeglkcwhtp\xd0\xd1")) letters |= 1u << (c & 31);
    return letters;
  }();
  constexpr std::size_t kLongestMonth = 18;
  if ((kFirst >> (at(text, position) & 31) & 1) == 0) return 0;
  std::size_t size = 0;
  while (size < kLongestMonth &&
         (is_letter(at(text, position + size)) || static_cast<unsigned char>(at(text, position + size)) >= 0x80))
    ++size;
  if (size < kShortestMonth) return 0;
  const bool month = (topics_of(text.substr(position, size)) & static_cast<std::uint32_t>(Topic::kMonth)) != 0;
  return month ? size : 0;
}

std::size_t skip(std::string_view text, std::size_t position, std::string_view some) {
  std::size_t skipped = 0;
  while (skipped < 3 && position < text.size() && some.find(text[position]) != std::string_view::npos) {
    ++position;
    ++skipped;
  }
  return position;
}

bool is_year(const Number& number) {
  return number.size == 4 && number.value >= 1890 && number.value <= 2100;
}
bool is_day_of_month(const Number& number) {
  return number.size >= 1 && number.size <= 2 && number.value >= 1 && number.value <= 31;
}

// 1980年5月12日, 1980년 5월 12일, where the year ends at `position`; 0 if it is something else.
std::size_t spelled_date_end(std::string_view text, const Number& year, std::size_t position) {
  static constexpr std::string_view kSigns[][3] = {{"\xe5\xb9\xb4", "\xe6\x9c\x88", "\xe6\x97\xa5"},
                                                   {"\xeb\x85\x84", "\xec\x9b\x94", "\xec\x9d\xbc"}};
  if (static_cast<unsigned char>(at(text, position)) < 0xe0 || !is_year(year)) return 0;
  for (const auto& [of_year, of_month, of_day] : kSigns) {
    if (text.substr(position, of_year.size()) != of_year) continue;
    std::size_t next = skip(text, position + of_year.size(), " ");
    const Number month = number_at(text, next);
    next += month.size;
    if (!is_day_of_month(month) || text.substr(next, of_month.size()) != of_month) return 0;
    next = skip(text, next + of_month.size(), " ");
    const Number day = number_at(text, next);
    next += day.size;
    return is_day_of_month(day) && text.substr(next, of_day.size()) == of_day ? next + of_day.size() : 0;
  }
  return 0;
}

// Where the date that begins at `at` ends, or 0.
std::size_t date_end(std::string_view text, std::size_t at) {
  std::size_t position = at;
  if (const std::size_t month = month_at(text, at)) {  // March 12, 1990
    position = skip(text, at + month, " .");
    const Number day = number_at(text, position);
    if (!is_day_of_month(day)) return 0;
    position = skip(text, position + day.size, "sthnrd, ");
    position = skip(text, position, ", ");
    const Number year = number_at(text, position);
    return is_year(year) ? position + year.size : 0;
  }
  const Number first = number_at(text, position);
  if (first.size == 0) return 0;
  position += first.size;
  if (first.size == 8) {
    const unsigned month = first.value / 100 % 100;
    return first.value / 10000 >= 1890 && first.value / 10000 <= 2100 && month >= 1 && month <= 12 ? position : 0;
  }
  if (const std::size_t end = spelled_date_end(text, first, position)) return end;
  const char separator = privacy::at(text, position);
  // 12.5.1980, 12. 5. 1980
  const std::size_t gap = separator == '.' && privacy::at(text, position + 1) == ' ' ? 2 : 1;
  if ((separator == '-' || separator == '/' || separator == '.') && is_digit(privacy::at(text, position + gap))) {
    const Number second = number_at(text, position += gap);
    position += second.size;
    if (!is_day_of_month(second) || privacy::at(text, position) != separator) return 0;
    ++position;
    if (gap == 2 && privacy::at(text, position) == ' ') ++position;
    const Number third = number_at(text, position);
    position += third.size;
    if (is_year(first) && is_day_of_month(third)) return position;
    return is_day_of_month(first) && (is_year(third) || third.size == 2) ? position : 0;
  }
  if (!is_day_of_month(first)) return 0;
  if (is_letter(privacy::at(text, position))) {
    for (const std::string_view ordinal : {"st", "nd", "rd", "th", "er"})  // 12th March 1990, 1er mars 1990
      if (text.substr(position, 2) == ordinal) position += 2;
  }
  position = skip(text, position, ". -/");
  // 12 de marzo de 1990, 12th of March 1990
  const auto skip_of = [&] {
    const std::string_view word = text.substr(position, 3);
    position += word == "de " || word == "of " ? 3 : 0;
  };
  skip_of();
  const std::size_t month = month_at(text, position);
  if (month == 0) return 0;
  position = skip(text, position + month, " ,.-/");
  skip_of();
  const Number year = number_at(text, position);
  return is_year(year) ? position + year.size : 0;
}

// "Bob Miller (b. 12 May 1980)": the letter alone, and not the second item of a list.
bool follows_b(std::string_view text, std::size_t at) {
  constexpr std::size_t kItemReach = 160;
  const std::size_t end = before(text, at) == ' ' ? at - 1 : at;
  if (end < 2 || text[end - 1] != '.' || to_lower(text[end - 2]) != 'b') return false;
  const char previous = before(text, end - 2);
  if (previous != '\0' && previous != ' ' && previous != '(' && previous != ',') return false;
  for (std::size_t i = end - 2; i > 0 && end - i < kItemReach; --i)
    if (text[i] == '.' && to_lower(text[i - 1]) == 'a' && !is_word(before(text, i - 1))) return false;
  return true;
}

// "Anna Muster (* 12.5.1980)"; but an item of a list begins its line with a star, and cron has several.
bool follows_star(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (at - end < 2 && before(text, end) == ' ') --end;
  if (before(text, end) != '*') return false;
  std::size_t last = end - 1;
  while (before(text, last) == ' ') --last;
  const char previous = before(text, last);
  const bool name = is_letter(previous) || static_cast<unsigned char>(previous) >= 0x80;
  return previous == '(' || previous == ',' || (name && last < end - 1);
}

// D.O.B.: 12.3.1990
bool follows_initials(std::string_view text, std::size_t at) {
  while (at > 0 && (text[at - 1] == ' ' || text[at - 1] == ':')) --at;
  if (at < 5) return false;
  const std::string_view initials = text.substr(at < 6 ? 0 : at - 6, at < 6 ? at : 6);
  return initials.ends_with("D.O.B.") || initials.ends_with("d.o.b.") || initials.ends_with("D.O.B");
}

}  // namespace

std::optional<Finding> find_birth_date(std::string_view text, std::size_t at) {
  const std::size_t end = date_end(text, at);
  if (end == 0 || is_digit(privacy::at(text, end))) return std::nullopt;
  if (!is_named_before(text, at, Topic::kBirth) && !follows_initials(text, at) && !follows_b(text, at) &&
      !follows_star(text, at) && !(privacy::at(text, end) == ' ' && is_named_after(text, end, Topic::kBornBehind)))
    return std::nullopt;
  return Finding{Entity::kBirthDate, at, end, 0.9, {}};
}

}  // namespace glovebox::privacy
