// What kind of work a request asks for: what programs do, or what takes hands, a body or empathy.
#pragma once

#include <span>
#include <vector>

namespace glovebox::search {

// How doubtful it is that a program serves a request: 0 for most requests, up to 5.5. It falls with the log odds that
// one does, a linear function of the vector, fitted to requests of both kinds: bench/search_nature.cc.
double doubt_of_odds(double log_odds);

// By the vectors of the request and its clauses, which must be of our own weights; the least doubtful counts, because a
// request that names a need for a program often describes the rest of life as well.
double doubt_of(std::span<const std::vector<float>> texts);

// Where the nature of a request cannot be known: the vectors are of another model.
inline constexpr double kUnknownDoubt = 1;

}  // namespace glovebox::search
