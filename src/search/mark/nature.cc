#include "search/mark/nature.h"

#include <algorithm>

#include "search/mark/nature_weights.h"

namespace glovebox::search {
namespace {

constexpr float kCertain = -2;  // log odds from which on it counts as certain

}  // namespace

double doubt_of(std::span<const float> vector) {
  if (vector.size() != kNatureWeights.size()) return 0;
  float odds = 0;
  for (std::size_t i = 0; i < vector.size(); ++i) odds += static_cast<float>(kNatureWeights[i]) * vector[i];
  return std::clamp((kNatureConstant + kNatureStep * odds) / kCertain, 0.0F, 1.0F);
}

}  // namespace glovebox::search
