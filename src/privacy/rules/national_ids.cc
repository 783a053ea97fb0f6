#include "privacy/rules/national_ids.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>

#include "privacy/rules/checksums.h"
#include "privacy/rules/context_words.h"
#include "privacy/rules/digit_groups.h"

namespace glovebox::privacy {
namespace {

unsigned value(std::string_view digits, std::size_t from, std::size_t count) {
  unsigned number = 0;
  for (std::size_t i = from; i < from + count; ++i) number = number * 10 + static_cast<unsigned>(digits[i] - '0');
  return number;
}

template <std::size_t N>
unsigned weighted(std::string_view digits, const std::array<unsigned, N>& weights) {
  unsigned sum = 0;
  for (std::size_t i = 0; i < N; ++i) sum += weights[i] * static_cast<unsigned>(digits[i] - '0');
  return sum;
}

bool is_month_and_day(unsigned month, unsigned day) {
  return month >= 1 && month <= 12 && day >= 1 && day <= 31;
}

// Brazil.
bool cpf_holds(std::string_view d) {
  const unsigned a = weighted(d, std::array<unsigned, 9>{10, 9, 8, 7, 6, 5, 4, 3, 2}) * 10 % 11 % 10;
  const unsigned b = weighted(d, std::array<unsigned, 10>{11, 10, 9, 8, 7, 6, 5, 4, 3, 2}) * 10 % 11 % 10;
  return a == value(d, 9, 1) && b == value(d, 10, 1);
}
// Poland.
bool pesel_holds(std::string_view d) {
  const unsigned sum = weighted(d, std::array<unsigned, 10>{1, 3, 7, 9, 1, 3, 7, 9, 1, 3});
  return (10 - sum % 10) % 10 == value(d, 10, 1) && is_month_and_day(value(d, 2, 2) % 20, value(d, 4, 2));
}
// Turkey.
bool kimlik_holds(std::string_view d) {
  const unsigned odd = weighted(d, std::array<unsigned, 9>{1, 0, 1, 0, 1, 0, 1, 0, 1});
  const unsigned even = weighted(d, std::array<unsigned, 8>{0, 1, 0, 1, 0, 1, 0, 1});
  const unsigned tenth = (odd * 7 + 100 - even) % 10;
  return d[0] != '0' && tenth == value(d, 9, 1) && (odd + even + tenth) % 10 == value(d, 10, 1);
}
// Norway.
bool fodselsnummer_holds(std::string_view d) {
  const unsigned a = (11 - weighted(d, std::array<unsigned, 9>{3, 7, 6, 1, 8, 9, 4, 5, 2}) % 11) % 11;
  const unsigned b = (11 - weighted(d, std::array<unsigned, 10>{5, 4, 3, 2, 7, 6, 5, 4, 3, 2}) % 11) % 11;
  return a == value(d, 9, 1) && b == value(d, 10, 1) && is_month_and_day(value(d, 2, 2), value(d, 0, 2) % 40);
}
// Belgium, of both centuries.
bool rijksregister_holds(std::string_view d) {
  const unsigned check = value(d, 9, 2);
  const std::uint64_t first = value(d, 0, 9);
  return (97 - first % 97 == check || 97 - (2000000000ull + first) % 97 == check) && value(d, 2, 2) <= 12;
}
// Germany: the tax number of a person.
bool steuer_id_holds(std::string_view d) {
  unsigned product = 10;
  for (std::size_t i = 0; i < 10; ++i) {
    unsigned sum = (value(d, i, 1) + product) % 10;
    if (sum == 0) sum = 10;
    product = sum * 2 % 11;
  }
  return d[0] != '0' && (11 - product) % 10 == value(d, 10, 1);
}
// The Netherlands.
bool bsn_holds(std::string_view d) {
  const unsigned sum = weighted(d, std::array<unsigned, 8>{9, 8, 7, 6, 5, 4, 3, 2});
  return sum >= value(d, 8, 1) && (sum - value(d, 8, 1)) % 11 == 0;
}
// Britain's health service.
bool nhs_holds(std::string_view d) {
  const unsigned check = 11 - weighted(d, std::array<unsigned, 9>{10, 9, 8, 7, 6, 5, 4, 3, 2}) % 11;
  return check != 10 && check % 11 == value(d, 9, 1);
}
// Australia.
bool tfn_holds(std::string_view d) {
  return weighted(d, std::array<unsigned, 9>{1, 4, 3, 7, 5, 8, 6, 9, 10}) % 11 == 0;
}
// Korea.
bool rrn_holds(std::string_view d) {
  const unsigned sum = weighted(d, std::array<unsigned, 12>{2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5});
  return (11 - sum % 11) % 10 == value(d, 12, 1) && is_month_and_day(value(d, 2, 2), value(d, 4, 2));
}
// France: 13 digits and 97 less their remainder.
bool nir_holds(std::string_view d) {
  std::uint64_t number = 0;
  for (const char c : d.substr(0, 13)) number = number * 10 + static_cast<std::uint64_t>(c - '0');
  return (d[0] == '1' || d[0] == '2') && 97 - number % 97 == value(d, 13, 2);
}
bool south_african_holds(std::string_view d) {
  return luhn_holds(d) && is_month_and_day(value(d, 2, 2), value(d, 4, 2)) && d[10] <= '2';
}
bool personnummer_holds(std::string_view d) {
  return luhn_holds(d) && is_month_and_day(value(d, 2, 2), value(d, 4, 2) > 60 ? value(d, 4, 2) - 60 : value(d, 4, 2));
}
bool sin_holds(std::string_view d) {
  return d[0] != '0' && d[0] != '8' && luhn_holds(d);
}
bool aadhaar_holds(std::string_view d) {
  return d[0] >= '2' && verhoeff_holds(d);
}

struct Id {
  std::string_view kind;
  std::size_t digits;
  bool (*holds)(std::string_view);
  std::string_view written;  // its own grouping, by which it is recognized without a word beside it; may be empty
  char separator;
};
// For bare digits a tenth of all numbers would pass: then a word must name them.
constexpr Id kIds[] = {
    {"br-cpf", 11, cpf_holds, "3332", '\0'},
    {"in-aadhaar", 12, aadhaar_holds, "444", ' '},
    {"fr-nir", 15, nir_holds, "1222332", ' '},
    {"kr-rrn", 13, rrn_holds, "67", '-'},
    {"za-id", 13, south_african_holds, "", '\0'},
    {"se-personnummer", 10, personnummer_holds, "64", '-'},
    {"ca-sin", 9, sin_holds, "333", '-'},
    {"uk-nhs", 10, nhs_holds, "", '\0'},
    {"pl-pesel", 11, pesel_holds, "", '\0'},
    {"tr-kimlik", 11, kimlik_holds, "", '\0'},
    {"no-fodselsnummer", 11, fodselsnummer_holds, "", '\0'},
    {"be-rijksregister", 11, rijksregister_holds, "", '\0'},
    {"de-steuer-id", 11, steuer_id_holds, "", '\0'},
    {"nl-bsn", 9, bsn_holds, "", '\0'},
    {"au-tfn", 9, tfn_holds, "", '\0'},
};

constexpr std::size_t kFewestDigits = 9, kMostDigits = 15;

bool written_as(const DigitGroups& read, const Id& id) {
  if (id.written.empty() || read.count < id.written.size()) return false;
  for (std::size_t i = 0; i < id.written.size(); ++i) {
    if (read.groups[i].size() != static_cast<std::size_t>(id.written[i] - '0')) return false;
    // 111.444.777-35
    const char separator = id.separator != '\0' ? id.separator : i + 1 == id.written.size() ? '-' : '.';
    if (i > 0 && read.groups[i].separator != separator) return false;
  }
  return true;
}

// Whether its first group may begin one of those groupings.
bool begins_as_written(std::string_view text, std::size_t at) {
  std::size_t size = 0;
  while (size < kMostDigits && is_digit(privacy::at(text, at + size))) ++size;
  return std::any_of(std::begin(kIds), std::end(kIds), [&](const Id& id) {
    return !id.written.empty() && size == static_cast<std::size_t>(id.written[0] - '0');
  });
}

constexpr std::string_view kDniLetters = "TRWAGMYFPDXBNJZSQVHLCKE";

// Spain: eight digits, or X, Y, Z and seven, and a letter.
bool dni_holds(std::string_view word) {
  if (word.size() != 9) return false;
  std::array<char, 8> digits{};
  for (std::size_t i = 0; i < 8; ++i) digits[i] = word[i];
  if (const char first = to_upper(word[0]); first >= 'X' && first <= 'Z')
    digits[0] = static_cast<char>('0' + first - 'X');
  unsigned number = 0;
  for (const char c : digits) {
    if (!is_digit(c)) return false;
    number = number * 10 + static_cast<unsigned>(c - '0');
  }
  return kDniLetters[number % 23] == to_upper(word[8]);
}

// Italy: AAAAAA99A99A999A.
bool codice_fiscale_holds(std::string_view word) {
  if (word.size() != 16) return false;
  constexpr std::string_view kShape = "AAAAAA99A99A999A";
  constexpr std::array<unsigned, 26> kOdd = {1,  0,  5, 7, 9, 13, 15, 17, 19, 21, 2,  4,  18,
                                             20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23};
  unsigned sum = 0;
  for (std::size_t i = 0; i < 15; ++i) {
    if (is_digit(word[i]) != (kShape[i] == '9')) return false;
    const std::size_t place = static_cast<std::size_t>(is_digit(word[i]) ? word[i] - '0' : to_upper(word[i]) - 'A');
    sum += i % 2 == 0 ? kOdd[place] : static_cast<unsigned>(place);
  }
  return is_letter(word[15]) && static_cast<unsigned>(to_upper(word[15]) - 'A') == sum % 26;
}

// China: 17 digits and a check of 0 to 9 or X.
bool chinese_holds(std::string_view word) {
  if (word.size() != 18) return false;
  constexpr std::array<unsigned, 17> kWeights = {7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2};
  for (std::size_t i = 0; i < 17; ++i)
    if (!is_digit(word[i])) return false;
  const unsigned century = value(word, 6, 2);
  return (century == 19 || century == 20) && is_month_and_day(value(word, 10, 2), value(word, 12, 2)) &&
         "10X98765432"[weighted(word, kWeights) % 11] == to_upper(word[17]);
}

// Singapore.
bool nric_holds(std::string_view word) {
  if (word.size() != 9) return false;
  const char series = to_upper(word[0]);
  if (series != 'S' && series != 'T' && series != 'F' && series != 'G') return false;
  for (std::size_t i = 1; i < 8; ++i)
    if (!is_digit(word[i])) return false;
  unsigned sum = weighted(word.substr(1), std::array<unsigned, 7>{2, 7, 6, 5, 4, 3, 2});
  if (series == 'T' || series == 'G') sum += 4;
  const std::string_view letters = series < 'H' ? "XWUTRQPNMLK" : "JZIHGFEDCBA";
  return letters[sum % 11] == to_upper(word[8]);
}

}  // namespace

std::optional<Finding> find_ssn(std::string_view text, std::size_t at) {
  const DigitGroups read = read_digit_groups(text, at, Gaps::kWide);
  const bool grouped = read.count >= 3 && read.groups[0].size() == 3 && read.groups[1].size() == 2 &&
                       read.groups[2].size() == 4 && read.groups[1].separator == read.groups[2].separator;
  const bool plain = read.count >= 1 && read.groups[0].size() == 9;
  if (!grouped && !plain) return std::nullopt;
  const std::size_t end = grouped ? read.groups[2].end : read.groups[0].end;
  if (!ends_number(text, end)) return std::nullopt;
  const char previous = before(text, at);
  if ((previous == '-' || previous == '.') && at > 1 && is_word(text[at - 2])) return std::nullopt;
  const std::string_view digits = read.first_digits(9);
  // Never issued.
  const unsigned area = value(digits, 0, 3);
  if (area == 0 || area == 666 || area >= 900 || value(digits, 3, 2) == 0 || value(digits, 5, 4) == 0)
    return std::nullopt;
  const bool named = is_named_before(text, at, Topic::kSsn);
  if (!named && (plain || read.groups[1].separator != '-' || is_other_number(text, at))) return std::nullopt;
  return Finding{Entity::kSsn, at, end, named ? 1.0 : 0.8, {}};
}

std::optional<Finding> find_national_number(std::string_view text, std::size_t at) {
  if (!begins_as_written(text, at) && !has_words_near(text, at, at)) return std::nullopt;
  const DigitGroups read = read_digit_groups(text, at);
  const char previous = before(text, at);
  if ((previous == '-' || previous == '.') && at > 1 && is_word(text[at - 2])) return std::nullopt;
  std::optional<bool> named;
  std::size_t digits = 0;
  // The beginning of a long number may pass for a shorter one.
  std::optional<Finding> longest;
  for (std::size_t i = 0; i < read.count; ++i) {
    digits += read.groups[i].size();
    if (digits > kMostDigits) break;
    if (digits < kFewestDigits || !ends_number(text, read.groups[i].end)) continue;
    const std::string_view number = read.first_digits(digits);
    if (all_alike(number)) continue;
    for (const Id& id : kIds) {
      if (id.digits != digits || !id.holds(number)) continue;
      const bool own = written_as(read, id);
      if (!named) named = is_named_before(text, at, Topic::kNationalId);
      // A two-digit check lets one number in a hundred pass.
      const bool strong = own && (id.kind == "br-cpf" || id.kind == "fr-nir" || id.kind == "kr-rrn");
      if (!*named && !strong && !(own && id.kind == "in-aadhaar")) continue;
      longest = Finding{Entity::kNationalId, at, read.groups[i].end, *named ? 0.95 : strong ? 0.8 : 0.55, id.kind};
      break;
    }
  }
  return longest;
}

std::optional<Finding> find_insurance_number(std::string_view text, std::size_t at) {
  // Letters that are not issued: gov.uk, "National Insurance manual" NIM39110.
  constexpr std::string_view kNeverFirst = "DFIQUV";
  constexpr std::string_view kNeverSecond = "DFIOQUV";
  constexpr std::string_view kNeverBoth = "BGGBKNNKNTTNZZ";
  const char first = to_upper(privacy::at(text, at));
  const char second = to_upper(privacy::at(text, at + 1));
  // QQ is the example in every form and manual.
  const bool example = first == 'Q' && second == 'Q';
  if (!is_letter(first) || !is_letter(second)) return std::nullopt;
  if (!example &&
      (kNeverFirst.find(first) != std::string_view::npos || kNeverSecond.find(second) != std::string_view::npos))
    return std::nullopt;
  for (std::size_t i = 0; i < kNeverBoth.size(); i += 2)
    if (kNeverBoth[i] == first && kNeverBoth[i + 1] == second) return std::nullopt;
  std::size_t position = at + 2;
  std::size_t gaps = 0;
  const auto skip_gap = [&] {
    const char c = privacy::at(text, position);
    if (c != ' ' && c != '-' && c != '.') return;
    ++position;
    ++gaps;
  };
  for (std::size_t digit = 0; digit < 6; ++digit) {
    if (digit % 2 == 0) skip_gap();
    if (!is_digit(privacy::at(text, position++))) return std::nullopt;
  }
  skip_gap();
  const char last = to_upper(privacy::at(text, position));
  if (last < 'A' || last > 'D' || is_word(privacy::at(text, position + 1)) || is_word(before(text, at)))
    return std::nullopt;
  // In pairs, as it is printed, it cannot be confused with anything else.
  const bool printed = gaps == 4 && is_letter(text[at]) && text[at] <= 'Z';
  const bool named = is_named_before(text, at, Topic::kInsurance);
  if (!printed && !named) return std::nullopt;
  return Finding{Entity::kNationalId, at, position + 1, named ? 0.95 : 0.7, "uk-nino"};
}

std::optional<Finding> find_national_word(std::string_view text, std::size_t begin, std::size_t end) {
  const std::string_view word = text.substr(begin, end - begin);
  const auto found = [&](std::string_view kind, double score) {
    return Finding{Entity::kNationalId, begin, end, score, kind};
  };
  if (word.size() == 18 && chinese_holds(word)) return found("cn-resident", 0.9);
  if (word.size() == 16 && codice_fiscale_holds(word)) return found("it-codice-fiscale", 0.95);
  if (word.size() == 9) {
    if (dni_holds(word)) return found("es-dni", 0.8);
    if (nric_holds(word) && is_named_before(text, begin, Topic::kNationalId)) return found("sg-nric", 0.9);
  }
  return std::nullopt;
}

}  // namespace glovebox::privacy
