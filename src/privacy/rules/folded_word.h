// A word without case and accents, as in the word lists: Teléfono is telefono. Cyrillic stays Cyrillic.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "privacy/characters.h"

namespace glovebox::privacy {

// Letters of U+00C0 to U+017F without their accents.
inline constexpr std::string_view kBaseLetters =
    "aaaaaaaceeeeiiiidnoooooxouuuuytsaaaaaaaceeeeiiiidnoooooxouuuuyty"
    "aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiiiiijjkkklllllll"
    "lllnnnnnnnnnoooooooorrrrrrsssssssstttttt"
    "uuuuuuuuuuuuwwyyyzzzzzzs";
static_assert(kBaseLetters.size() == 0x180 - 0xc0);

// Empty for a word that is longer than any of ours.
class FoldedWord {
 public:
  explicit FoldedWord(std::string_view word) {
    if (word.size() > bytes_.size()) return;
    for (std::size_t i = 0; i < word.size(); ++i) {
      const auto byte = static_cast<unsigned char>(word[i]);
      if (byte < 0xc3 || byte > 0xdf || i + 1 == word.size()) {
        add(to_lower(word[i]));
        continue;
      }
      const auto next = static_cast<unsigned char>(word[++i]);
      const unsigned code = (byte & 31u) << 6 | (next & 63u);
      if (code >= 0x300 && code < 0x370) continue;  // an accent of its own: e and U+0301
      if (code >= 0xc0 && code < 0x180) {
        add(kBaseLetters[code - 0xc0]);
      } else {
        // Capitals of Cyrillic: А to П, Р to Я.
        const bool upper = code >= 0x410 && code <= 0x42f;
        const unsigned lower = upper ? code + 0x20 : code == 0x401 ? 0x435 : code;
        add(static_cast<char>(0xc0 | lower >> 6));
        add(static_cast<char>(0x80 | (lower & 63)));
      }
    }
  }
  std::string_view view() const { return {bytes_.data(), size_}; }

 private:
  void add(char c) {
    if (size_ < bytes_.size()) bytes_[size_++] = c;
  }
  std::array<char, 56> bytes_{};
  std::size_t size_ = 0;
};

// Whether the word is one of `words`, which have a space before and behind each. The case of ASCII does not count.
inline bool is_one_of(std::string_view words, std::string_view word) {
  std::array<char, 40> lower{};
  if (word.empty() || word.size() > lower.size()) return false;
  for (std::size_t i = 0; i < word.size(); ++i) lower[i] = to_lower(word[i]);
  const std::string_view wanted(lower.data(), word.size());
  for (std::size_t at = words.find(wanted); at != std::string_view::npos; at = words.find(wanted, at + 1))
    if (before(words, at) == ' ' && privacy::at(words, at + wanted.size()) == ' ') return true;
  return false;
}

}  // namespace glovebox::privacy
