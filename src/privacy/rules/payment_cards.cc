#include "privacy/rules/payment_cards.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "privacy/rules/checksums.h"
#include "privacy/rules/context_words.h"
#include "privacy/rules/digit_groups.h"

namespace glovebox::privacy {
namespace {

struct Issuer {
  unsigned first;  // the first digits of the number, from and to
  unsigned last;
  int digits;        // how many of them
  unsigned lengths;  // one bit for each
};

constexpr unsigned between(unsigned least, unsigned most) {
  unsigned lengths = 0;
  for (unsigned n = least; n <= most; ++n) lengths |= 1u << n;
  return lengths;
}
constexpr unsigned k16 = 1u << 16;

constexpr Issuer kIssuers[] = {
    {4, 4, 1, 1u << 13 | k16 | 1u << 19},  // Visa
    {51, 55, 2, k16},                      // Mastercard
    {2221, 2720, 4, k16},
    {34, 34, 2, 1u << 15},  // American Express
    {37, 37, 2, 1u << 15},
    {300, 305, 3, between(14, 19)},  // Diners
    {3095, 3095, 4, between(14, 19)},
    {36, 36, 2, between(14, 19)},
    {38, 39, 2, between(14, 19)},
    {6011, 6011, 4, between(16, 19)},  // Discover
    {644, 649, 3, between(16, 19)},
    {65, 65, 2, between(16, 19)},
    {62, 62, 2, between(16, 19)},  // UnionPay
    {81, 81, 2, between(16, 19)},
    {3528, 3589, 4, between(16, 19)},  // JCB
    {2131, 2131, 4, 1u << 15},
    {1800, 1800, 4, 1u << 15},
    {50, 50, 2, between(12, 19)},  // Maestro and its neighbours
    {56, 58, 2, between(12, 19)},
    {6, 6, 1, between(16, 19)},
    {6304, 6304, 4, between(12, 19)},
    {6390, 6390, 4, between(12, 19)},
    {67, 67, 2, between(12, 19)},
    {69, 69, 2, between(12, 19)},
    {604, 604, 4, between(12, 19)},    // 0604
    {2200, 2204, 4, between(16, 19)},  // Mir
    {9792, 9792, 4, k16},              // Troy
    {82, 82, 2, k16},                  // RuPay
};

// For each beginning of four digits, the lengths that are issued: one bit each, from the shortest on. A row of numbers
// asks for a dozen lengths at each of them.
constexpr std::size_t kShortest = 12, kLongest = 19;
constexpr auto kIssuedLengths = [] {
  std::array<std::uint8_t, 10000> lengths{};
  for (const Issuer& issuer : kIssuers) {
    unsigned width = 1;  // how many beginnings of four digits one of its own has
    for (int i = issuer.digits; i < 4; ++i) width *= 10;
    for (unsigned begin = issuer.first * width; begin < (issuer.last + 1) * width; ++begin)
      lengths[begin] |= static_cast<std::uint8_t>(issuer.lengths >> kShortest);
  }
  return lengths;
}();

// The lengths that a number may have which begins with these digits.
unsigned issued_lengths(const char* digits) {
  unsigned begin = 0;
  for (int i = 0; i < 4; ++i) begin = begin * 10 + static_cast<unsigned>(digits[i] - '0');
  return kIssuedLengths[begin];
}

bool is_issued(std::string_view digits) {
  return (issued_lengths(digits.data()) >> (digits.size() - kShortest) & 1) != 0;
}

// How its groups look. Cards are printed in groups of four, or 4-6-5, 4-6-4, 6-13 and 8-8.
enum class Look { kPrinted, kUnusual, kOther };

Look look_of(const DigitGroups& read, std::size_t groups) {
  const std::size_t first = read.groups[0].size();
  bool fours = first == 4;
  bool printed = first == 4 || groups == 1;
  for (std::size_t i = 1; i < groups; ++i) {
    const std::size_t size = read.groups[i].size();
    printed &= size <= 6;
    fours &= size == 4;
    printed |= groups == 2 && ((first == 6 && size > 6) || (first == 8 && size == 8));
  }
  if (!printed) return Look::kOther;
  const bool odd = groups > 1 && (read.groups[1].separator == '.' || read.groups[1].separator == '/' ||
                                  read.groups[1].separator == '_' || read.groups[1].wide);
  const bool american = groups == 3 && read.groups[1].size() == 6 && read.groups[2].size() >= 4;
  return !odd ? Look::kPrinted : (fours && groups == 4) || american ? Look::kUnusual : Look::kOther;
}

// 1204  4111  1111  1111  1111: a row of numbers.
bool is_in_row(std::string_view text, std::size_t begin, std::size_t end) {
  const Gap behind = gap_at(text, end, Gaps::kWide);
  if (behind.size > 0 && is_digit(privacy::at(text, end + behind.size))) return true;
  std::size_t previous = begin;
  while (previous > 0 && begin - previous < 3 && !is_word(text[previous - 1])) --previous;
  return previous < begin && is_digit(before(text, previous)) && text[begin - 1] != ',' && text[begin - 1] != ':';
}

// The longest number that begins at `at`: every tenth prefix of a number passes the check by coincidence, and the rest
// of it would be left.
std::optional<Finding> card_at(std::string_view text, std::size_t at, const DigitGroups& read) {
  std::optional<bool> named;
  const auto is_named = [&] {
    if (!named) named = is_named_before(text, at, Topic::kCard);
    return *named;
  };
  std::optional<Finding> longest;
  std::size_t digits = 0;
  for (std::size_t i = 0; i < read.count; ++i) {
    const auto& group = read.groups[i];
    const bool grouped = i > 0;
    if (grouped && group.separator != read.groups[1].separator) break;
    digits += group.size();
    if (digits > kLongest) break;
    const std::string_view number = read.first_digits(digits);
    if (digits < kShortest || !luhn_holds(number) || all_alike(number)) continue;
    const char next = privacy::at(text, group.end);
    if (next == '.' && is_digit(privacy::at(text, group.end + 1))) continue;
    const bool issued = is_issued(number);
    if (!issued && !is_named()) continue;
    const Look look = look_of(read, i + 1);
    if (look == Look::kOther && (!issued || !is_named())) continue;
    if (look == Look::kUnusual && !is_named() && is_in_row(text, at, group.end)) continue;
    const bool more = i + 1 < read.count && read.groups[i + 1].separator == group.separator && grouped &&
                      group.size() == 4 && read.groups[i + 1].size() <= 4 && digits + read.groups[i + 1].size() <= 19;
    if (more && !is_named() && next != ' ') continue;
    double score = digits >= 15 ? 0.8 : 0.6;
    if (grouped) score += 0.1;
    if (is_named()) score = 1.0;
    longest = Finding{Entity::kCard, at, group.end, score, {}};
  }
  return longest;
}

constexpr std::string_view kOfLists = ",:;|\"'\t";

bool is_group_of_four(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (is_digit(privacy::at(text, end))) ++end;
  return end - at == 4;
}

}  // namespace

std::optional<Finding> find_named_card(std::string_view text, std::size_t at) {
  constexpr std::size_t kWidestGap = 5;
  std::array<char, kLongest> digits{};
  std::size_t count = 0, groups = 0, longest = 0;
  bool fours = true;
  for (std::size_t position = at; count < digits.size() && is_digit(privacy::at(text, position));) {
    digits[count++] = text[position++];
    if (count == 4 && issued_lengths(digits.data()) == 0) return std::nullopt;
    if (is_digit(privacy::at(text, position))) continue;
    ++groups;
    fours &= count == 4 * groups;
    std::size_t next = position;
    while (next - position < kWidestGap && (classes_of(privacy::at(text, next)) & kGap) != 0) ++next;
    const std::size_t end = std::exchange(position, next);
    if (count < kShortest) continue;
    // 4,12,7,31,…: of a list of numbers every tenth beginning would be a card.
    const bool listed = is_digit(privacy::at(text, next)) &&
                        (kOfLists.find(text[end]) != kOfLists.npos || (text[end] == ' ' && count < 2 * groups));
    const std::string_view number(digits.data(), count);
    if ((!listed || (fours && groups == 4 && !is_group_of_four(text, next))) && is_issued(number) &&
        luhn_holds(number) && !all_alike(number))
      longest = end;
  }
  if (longest == 0 || !is_named_before(text, at, Topic::kCard)) return std::nullopt;
  return Finding{Entity::kCard, at, longest, 1.0, {}};
}

std::optional<Finding> find_card(std::string_view text, std::size_t at) {
  const DigitGroups read = read_digit_groups(text, at, Gaps::kWide);
  auto card = card_at(text, at, read);
  if (const auto named = find_named_card(text, at); named && (!card || card->end < named->end)) card = named;
  // "card 12: 1234 4111 1111 1111 1111": preceding digits may pass for its beginning.
  for (std::size_t i = 1; card && i < read.count && read.groups[i].begin < card->end; ++i) {
    const std::size_t later = read.groups[i].begin;
    if (const auto other = card_at(text, later, read_digit_groups(text, later, Gaps::kWide)))
      card->end = std::max(card->end, other->end);
  }
  return card;
}

}  // namespace glovebox::privacy
