// Bytes as lower-case hexadecimal digits.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace glovebox::base {

std::string hex(std::span<const std::uint8_t> bytes);
std::string hex(std::string_view bytes);
// The last `digits` digits of a number, with zeros in front.
std::string hex_number(std::uint64_t number, int digits);

}  // namespace glovebox::base
