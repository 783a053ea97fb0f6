#pragma once

#include <cstddef>

namespace glovebox::config {

// Of a token for HTTP: fewer characters could be guessed.
inline constexpr std::size_t kShortestToken = 16;

}  // namespace glovebox::config
