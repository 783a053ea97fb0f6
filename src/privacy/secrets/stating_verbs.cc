#include "privacy/secrets/stating_verbs.h"

#include <array>
#include <cstdint>
#include <iterator>

#include "privacy/characters.h"

namespace glovebox::privacy {
namespace {

constexpr std::string_view kVerbs[] = {"is ",
                                       "is: ",
                                       "was ",
                                       "as ",
                                       "set to ",
                                       "changed to ",
                                       "reset to ",
                                       "updated to ",
                                       "to ",
                                       "to: ",
                                       "= ",
                                       "ist ",
                                       "ist: ",
                                       "lautet ",
                                       "lautet: ",
                                       "est ",
                                       "est : ",
                                       "c'est ",
                                       "es ",
                                       "es: ",
                                       "\xc3\xa9 ",
                                       "\xc3\xa9: ",
                                       "\xc3\xa8 ",
                                       "\xc3\xa8: ",
                                       "\xc3\xa4r ",
                                       "\xc3\xa4r: ",
                                       "er ",
                                       "este ",
                                       "jest ",
                                       "je ",
                                       "это ",
                                       "are ",
                                       "now ",
                                       "now: ",
                                       "jetzt ",
                                       "jetzt: ",
                                       "nun ",
                                       "maintenant ",
                                       "ahora ",
                                       "adesso ",
                                       "ora ",
                                       "agora ",
                                       "nu ",
                                       "teraz ",
                                       "теперь ",
                                       "still ",
                                       "gewijzigd naar ",
                                       "ge\xc3\xa4ndert auf ",
                                       "ge\xc3\xa4ndert in ",
                                       "gewechselt zu ",
                                       "cambiada a ",
                                       "cambiado a ",
                                       "alterada para ",
                                       "zmienione na ",
                                       "\xc3\xa4ndrat till ",
                                       "chang\xc3\xa9 en ",
                                       "been changed to ",
                                       "has been changed to ",
                                       "has been set to ",
                                       "wurde ",
                                       "has "};

// Those that begin with a byte: first[byte] to first[byte + 1] of `rows`.
struct VerbsByFirst {
  std::array<std::uint8_t, 257> first{};
  std::array<std::uint8_t, std::size(kVerbs)> rows{};
  constexpr VerbsByFirst() {
    std::size_t count = 0;
    for (std::size_t byte = 0; byte < 256; ++byte) {
      first[byte] = static_cast<std::uint8_t>(count);
      for (std::size_t i = 0; i < std::size(kVerbs); ++i)
        if (static_cast<unsigned char>(kVerbs[i][0]) == byte) rows[count++] = static_cast<std::uint8_t>(i);
    }
    first[256] = static_cast<std::uint8_t>(count);
  }
};
constexpr VerbsByFirst kVerbsByFirst;

}  // namespace

std::size_t after_verb(std::string_view text, std::size_t at) {
  for (int words = 0; words < 3; ++words) {
    const auto byte = static_cast<unsigned char>(privacy::at(text, at));
    std::size_t size = 0;
    for (std::size_t i = kVerbsByFirst.first[byte]; size == 0 && i < kVerbsByFirst.first[byte + 1u]; ++i) {
      const std::string_view verb = kVerbs[kVerbsByFirst.rows[i]];
      if (text.substr(at, verb.size()) == verb) size = verb.size();
    }
    if (size == 0) break;
    at += size;
  }
  return at;
}

}  // namespace glovebox::privacy
