// The first three letters of names and keys, as bits. They rule out most words at once.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace glovebox::privacy {

// Three letters, whatever their case, as a place in a table of bits.
constexpr std::size_t trigram(const char* c) {
  return (c[0] & 31u) << 10 | (c[1] & 31u) << 5 | (c[2] & 31u);
}
using Trigrams = std::array<std::uint64_t, 512>;
constexpr void add_trigram(Trigrams& bits, std::string_view name) {
  bits[trigram(name.data()) / 64] |= 1ull << (trigram(name.data()) % 64);
}
inline bool has_trigram(const Trigrams& bits, const char* c) {
  const std::size_t place = trigram(c);
  return (bits.data()[place / 64] >> (place % 64) & 1) != 0;
}

}  // namespace glovebox::privacy
