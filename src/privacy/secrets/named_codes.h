// Numbers that only a name makes secret: PINs, one-time codes, the digits on the back of a card.
#pragma once

#include <string_view>
#include <vector>

#include "privacy/finding.h"
#include "privacy/secrets/trigrams.h"

namespace glovebox::privacy {

// The last three letters of what names a code: "PIN", "verification code", "Bestätigungscode", "CVV2".
inline constexpr Trigrams kCodeEnds = [] {
  Trigrams bits{};
  for (const std::string_view end : {"ode", "des", "kod", "odu", "nuz", "igo", "gos", "ice", "ici", "pin",
                                     "otp", "cvv", "cvc", "cvn", "vv2", "vc2", "puk", "tan", "ahl", "afe"})
    add_trigram(bits, end);
  return bits;
}();
// The three before the last, of those that are longer.
inline constexpr Trigrams kCodeMiddles = [] {
  Trigrams bits{};
  for (const std::string_view middle : {"cod", "kod", "ode", "dig", "dic", "igo", "unu", "zah", "saf", "mta", "sta",
                                        "tot", "cvv", "cvc", "sko", "nko", "tko"})
    add_trigram(bits, middle);
  return bits;
}();
inline bool may_name_code(std::string_view text, std::size_t begin, std::size_t end) {
  if (end - begin < 3 || !has_trigram(kCodeEnds, text.data() + end - 3)) return false;
  return end - begin == 3 || has_trigram(kCodeMiddles, text.data() + end - 4);
}

// "PIN: 4821", "482913 is your verification code", "backup codes: …". The word must be one that may_name_code.
void find_named_codes(std::string_view text, std::size_t begin, std::size_t end, std::vector<Finding>& found);

}  // namespace glovebox::privacy
