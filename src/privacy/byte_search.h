// Finds the next of a few bytes in a text, sixteen at a time: most stretches of text have none.
#pragma once

#include <emmintrin.h>

#include <bit>
#include <cstddef>
#include <string_view>

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

}  // namespace glovebox::privacy
