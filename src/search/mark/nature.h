// What kind of work a request asks for: what programs do, or what takes hands, a body or empathy.
#pragma once

#include <span>

namespace glovebox::search {

// 0 to 1: how certain it is that no program serves a request with this vector, which must be of our own weights. It is
// 0 for most requests. A linear function of the vector, fitted to requests of both kinds: bench/search_nature.cc.
double doubt_of(std::span<const float> vector);

}  // namespace glovebox::search
