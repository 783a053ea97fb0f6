#include "privacy/rules/bank_accounts.h"

#include <array>

#include "privacy/characters.h"
#include "privacy/rules/checksums.h"

namespace glovebox::privacy {
namespace {

// SWIFT's registry: two letters and the total length.
constexpr std::string_view kCountries =
    "AD24AE23AL28AT20AZ28BA20BE16BG22BH22BI27BR29BY28CH21CR22CY28CZ24DE22DJ27DK18DO28EE20EG29ES24FI18FK18FO18FR27GB22GE"
    "22"
    "GI23GL18GR27GT28HN28HR21HU28IE22IL23IQ23IS26IT27JO30KW30KZ20LB28LC32LI21LT20LU20LV21LY25MC27MD24ME22MK19MN20MR27MT"
    "31"
    "MU30NI28NL18NO15OM23PK24PL28PS29PT25QA29RO24RS22RU33SA24SC31SD18SE24SI19SK24SM27SO23ST25SV28TL23TN24TR26UA29VA22VG"
    "24"
    "XK20YE30AO25BF28BJ28CF27CG27CI28CM27CV25DZ26GA27GQ27GW25IR26KM27MA28MG27ML28MZ25NE28SN28TD27TG28";

constexpr std::size_t letter_pair(char first, char second) {
  return static_cast<std::size_t>(first - 'A') * 26 + static_cast<std::size_t>(second - 'A');
}

constexpr auto kLengths = [] {
  std::array<std::uint8_t, 26 * 26> lengths{};
  for (std::size_t i = 0; i + 3 < kCountries.size(); i += 4) {
    const std::size_t country = letter_pair(kCountries[i], kCountries[i + 1]);
    lengths[country] = static_cast<std::uint8_t>((kCountries[i + 2] - '0') * 10 + (kCountries[i + 3] - '0'));
  }
  return lengths;
}();

}  // namespace

std::optional<Finding> find_iban(std::string_view text, std::size_t at) {
  if (at + 15 > text.size() || !is_letter(text[at]) || !is_letter(text[at + 1])) return std::nullopt;
  // The two check digits may be separated as well: what is copied from a form is spaced as the form was.
  const std::size_t country = letter_pair(to_upper(text[at]), to_upper(text[at + 1]));
  const std::size_t length = kLengths[country];
  if (length == 0) return std::nullopt;
  std::array<char, 34> number{};
  std::size_t count = 0;
  std::size_t position = at;
  while (count < length) {
    const char c = privacy::at(text, position);
    if (is_word(c)) {
      if ((count == 2 || count == 3) && !is_digit(c)) return std::nullopt;
      number[count++] = c;
    } else if ((c != ' ' && c != '-' && c != '.') || count < 2 || !is_word(privacy::at(text, position + 1))) {
      return std::nullopt;
    }
    ++position;
  }
  if (is_word(privacy::at(text, position))) return std::nullopt;
  if (!mod97_holds({number.data(), length})) return std::nullopt;
  return Finding{Entity::kIban, at, position, 1.0, {}};
}

}  // namespace glovebox::privacy
