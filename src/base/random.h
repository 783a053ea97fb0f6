// Random bytes from the kernel.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace glovebox::base {

void fill_randomly(std::span<std::uint8_t> bytes);
// Two digits for each byte.
std::string random_hex(std::size_t bytes);
// `prefix` and 130 random bits, which cannot be guessed.
std::string random_id(std::string_view prefix);
// The same, but later ones are greater as texts, so that a table of them is written page by page. 90 bits are random.
std::string timed_id(std::string_view prefix);

}  // namespace glovebox::base
