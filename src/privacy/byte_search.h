// Finds the next of a few bytes in a text, sixteen at a time: most stretches of text have none.
#pragma once

#include <emmintrin.h>

#include <bit>
#include <cstddef>
#include <string_view>

#include "privacy/characters.h"

namespace glovebox::privacy {

enum class HighBytes { kPassed, kFound };  // bytes of non-ASCII characters

// The position of one of `kBytes`, from `from` on; the end of the text where there is none.
template <HighBytes kHigh, char... kBytes>
std::size_t next_of(std::string_view text, std::size_t from) {
  for (; from + 16 <= text.size(); from += 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text.data() + from));
    __m128i found = kHigh == HighBytes::kFound ? bytes : _mm_setzero_si128();  // a set high bit is already a match
    ((found = _mm_or_si128(found, _mm_cmpeq_epi8(bytes, _mm_set1_epi8(kBytes)))), ...);
    if (const auto mask = static_cast<unsigned>(_mm_movemask_epi8(found)); mask != 0)
      return from + static_cast<std::size_t>(std::countr_zero(mask));
  }
  for (; from < text.size(); ++from) {
    const char c = text[from];
    if (((c == kBytes) || ...) || (kHigh == HighBytes::kFound && static_cast<unsigned char>(c) >= 0x80)) return from;
  }
  return text.size();
}

namespace detail {
inline __m128i between(__m128i bytes, char least, char most) {
  return _mm_and_si128(_mm_cmpgt_epi8(bytes, _mm_set1_epi8(static_cast<char>(least - 1))),
                       _mm_cmplt_epi8(bytes, _mm_set1_epi8(static_cast<char>(most + 1))));
}
inline __m128i letters_of(__m128i bytes) {
  return between(_mm_or_si128(bytes, _mm_set1_epi8(0x20)), 'a', 'z');
}
}  // namespace detail

// The first letter of ASCII or byte of another character from `from` on, before `highest`; that where there is none.
inline std::size_t next_letter(std::string_view text, std::size_t from, std::size_t highest) {
  for (; from + 16 <= highest; from += 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text.data() + from));
    const auto mask = static_cast<unsigned>(_mm_movemask_epi8(_mm_or_si128(bytes, detail::letters_of(bytes))));
    if (mask != 0) return from + static_cast<std::size_t>(std::countr_zero(mask));
  }
  while (from < highest && !is_letter(text[from]) && static_cast<unsigned char>(text[from]) < 0x80) ++from;
  return from;
}

// Past the last letter of ASCII or byte of another character that is between `lowest` and `end`; `lowest` where there
// is none.
inline std::size_t past_last_letter(std::string_view text, std::size_t lowest, std::size_t end) {
  for (; end >= lowest + 16; end -= 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text.data() + end - 16));
    const auto mask = static_cast<unsigned>(_mm_movemask_epi8(_mm_or_si128(bytes, detail::letters_of(bytes))));
    if (mask != 0) return end - 16 + static_cast<std::size_t>(std::bit_width(mask));
  }
  while (end > lowest && !is_letter(text[end - 1]) && static_cast<unsigned char>(text[end - 1]) < 0x80) --end;
  return end;
}

// Where the word of letters and digits of ASCII that begins at `from` ends, and which of the two it has.
struct WordEnd {
  std::size_t end = 0;
  bool letters = false;
  bool digits = false;
};
inline WordEnd word_end(std::string_view text, std::size_t from) {
  WordEnd word{from};
  while (word.end + 16 <= text.size()) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text.data() + word.end));
    const auto letters = static_cast<unsigned>(_mm_movemask_epi8(detail::letters_of(bytes)));
    const auto digits = static_cast<unsigned>(_mm_movemask_epi8(detail::between(bytes, '0', '9')));
    const int size = std::countr_one(letters | digits);
    const unsigned inside = (1u << size) - 1;
    word.letters |= (letters & inside) != 0;
    word.digits |= (digits & inside) != 0;
    word.end += static_cast<std::size_t>(size);
    if (size < 16) return word;
  }
  for (; is_word(at(text, word.end)); ++word.end) {
    word.letters |= is_letter(text[word.end]);
    word.digits |= is_digit(text[word.end]);
  }
  return word;
}

}  // namespace glovebox::privacy
