#pragma once

#include <cstddef>

namespace glovebox::config {

// Minimum length of a token for HTTP: shorter ones could be guessed.
inline constexpr std::size_t kShortestToken = 16;

}  // namespace glovebox::config
