// What kind of work a request asks for: what programs do, or what takes hands, a body or a heart.
#pragma once

#include <span>

namespace glovebox::search {

// 0 to 1: how sure it is that no program serves a request with this vector, which is one of our own weights. Most
// requests have none. It is a linear function of the vector, fitted to requests of both kinds: bench/search_nature.cc.
double doubt_of(std::span<const float> vector);

}  // namespace glovebox::search
