// `make test` takes a sample where `make prove` takes the whole measure: more random sequences, every failpoint, long
// soaks.
#pragma once

#include <cstddef>
#include <cstdlib>

#include "base/sanitized.h"

namespace glovebox::base {

inline bool is_proving() {
  return std::getenv("GLOVEBOX_PROVE") != nullptr;
}

// How many rounds a test with random input does. In the gate the sanitized build does a tenth of what the plain one
// does.
inline std::size_t random_rounds(std::size_t usual) {
  return is_sanitized() && !is_proving() ? usual / 10 : usual;
}

// How many of the steps that a test goes through it takes at once: `make prove` takes each one.
inline int steps_at_once(int usual, int sanitized) {
  return is_proving() ? 1 : is_sanitized() ? sanitized : usual;
}

}  // namespace glovebox::base
