// Characters that look like ASCII, or like nothing.
#pragma once

#include <cstdint>

namespace glovebox::privacy {

constexpr int kShown = -1;    // as it is
constexpr int kNothing = -2;  // invisible

// The ASCII character that it is read as.
int read_as(std::uint32_t code);

}  // namespace glovebox::privacy
