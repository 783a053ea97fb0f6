// Bytes as lower-case hexadecimal digits.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace glovebox::base {

std::string hex(std::span<const std::uint8_t> bytes);
std::string hex(std::string_view bytes);

}  // namespace glovebox::base
