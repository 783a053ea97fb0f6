// Bytes that stand for themselves in a JSON string, found eight at a time: most text has no others.
#pragma once

#include <cstdint>
#include <cstring>

namespace glovebox::base {

// The first byte from `at` on that is a quote, a backslash, a control character or, in text for a terminal, DEL.
template <bool kPassDelete = true>
const char* plain_bytes_end(const char* at, const char* end) {
  constexpr std::uint64_t kOnes = 0x0101010101010101;
  constexpr std::uint64_t kHighs = 0x8080808080808080;
  const auto has_zero = [](std::uint64_t word) { return (word - kOnes) & ~word & kHighs; };
  while (end - at >= static_cast<std::ptrdiff_t>(sizeof(std::uint64_t))) {
    std::uint64_t word;
    std::memcpy(&word, at, sizeof word);
    const std::uint64_t control = (word - kOnes * 0x20) & ~word & kHighs;
    std::uint64_t other = control | has_zero(word ^ kOnes * '"') | has_zero(word ^ kOnes * '\\');
    if (!kPassDelete) other |= has_zero(word ^ kOnes * 0x7f);
    if (other) break;
    at += sizeof word;
  }
  const auto is_plain = [](unsigned char c) {
    return c >= 0x20 && c != '"' && c != '\\' && (kPassDelete || c != 0x7f);
  };
  while (at != end && is_plain(static_cast<unsigned char>(*at))) ++at;
  return at;
}

}  // namespace glovebox::base
