// `make test` takes a sample where `make prove` takes the whole measure: more random sequences, every failpoint, long
// soaks.
#pragma once

#include <cstdlib>

namespace glovebox::base {

inline bool is_proving() {
  return std::getenv("GLOVEBOX_PROVE") != nullptr;
}

}  // namespace glovebox::base
