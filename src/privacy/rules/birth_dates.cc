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
  // Most words begin with another letter than any month.
  constexpr std::uint32_t kFirst = [] {
    std::uint32_t letters = 0;
    for (const char c : std::string_view("jfmasondegl")) letters |= 1u << (c & 31);
    return letters;
  }();
  if ((kFirst >> (at(text, position) & 31) & 1) == 0) return 0;
  std::size_t size = 0;
  while (size < 12 &&
         (is_letter(at(text, position + size)) || static_cast<unsigned char>(at(text, position + size)) >= 0x80))
    ++size;
  if (size < kShortestMonth) return 0;
  const bool month = (topics_of(text.substr(position, size)) & static_cast<std::uint16_t>(Topic::kMonth)) != 0;
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
  position += first.size;
  if (first.size == 8) {
    const unsigned month = first.value / 100 % 100;
    return first.value / 10000 >= 1890 && first.value / 10000 <= 2100 && month >= 1 && month <= 12 ? position : 0;
  }
  const char separator = privacy::at(text, position);
  if ((separator == '-' || separator == '/' || separator == '.') && is_digit(privacy::at(text, position + 1))) {
    const Number second = number_at(text, ++position);
    position += second.size;
    if (!is_day_of_month(second) || privacy::at(text, position) != separator) return 0;
    const Number third = number_at(text, ++position);
    position += third.size;
    if (is_year(first) && is_day_of_month(third)) return position;
    return is_day_of_month(first) && (is_year(third) || third.size == 2) ? position : 0;
  }
  if (!is_day_of_month(first)) return 0;
  if (is_letter(privacy::at(text, position))) {
    for (const std::string_view ordinal : {"st", "nd", "rd", "th"})  // 12th March 1990
      if (text.substr(position, 2) == ordinal) position += 2;
  }
  position = skip(text, position, ". ");
  const auto skip_of = [&] { position += text.substr(position, 3) == "de " ? 3 : 0; };  // 12 de marzo de 1990
  skip_of();
  const std::size_t month = month_at(text, position);
  if (month == 0) return 0;
  position = skip(text, position + month, " ,.");
  skip_of();
  const Number year = number_at(text, position);
  return is_year(year) ? position + year.size : 0;
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
  if (!is_named_before(text, at, Topic::kBirth) && !follows_initials(text, at)) return std::nullopt;
  return Finding{Entity::kBirthDate, at, end, 0.9, {}};
}

}  // namespace glovebox::privacy
