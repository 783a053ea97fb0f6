// Fits what kind of requests programs serve: src/search/mark/nature.h.
#pragma once

#include <string>
#include <vector>

#include "search/encoder/encoder.h"

namespace glovebox::bench {

// Texts of one origin, all of one kind.
struct NatureGroup {
  std::string name;  // of the set or the list
  bool servable;
  double weight;  // of all its texts together
  std::vector<std::vector<float>> vectors;
};

// `sets` has labelled sets, of which the dev halves are used, `requests` the lists of bench/requests, of which those
// that are held out are not read.
std::vector<NatureGroup> nature_groups(const std::string& sets, const std::string& requests, search::Encoder& encoder);

// Log odds that programs serve a request: a weight for each number of its vector, then a constant.
using NatureWeights = std::vector<double>;
// Fitted to all groups but those of the same origin as `without`.
NatureWeights fit_nature_without(const std::vector<NatureGroup>& groups, const std::string& without);
double nature_odds(const NatureWeights& weights, const std::vector<float>& vector);
// Whether two sets have requests or tools in common.
bool is_same_origin(const std::string& one, const std::string& other);

// Prints src/search/mark/nature_weights.h, and how well the fit does on what it was not fitted to.
int fit_nature(const std::string& sets, const std::string& requests);

}  // namespace glovebox::bench
