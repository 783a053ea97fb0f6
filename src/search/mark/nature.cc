#include "search/mark/nature.h"

#include <algorithm>

#include "search/mark/nature_weights.h"

namespace glovebox::search {
namespace {

// Log odds from which on there is no doubt, and down to which it grows.
constexpr double kNoDoubt = 1.5;
constexpr double kMostDoubt = -4;

}  // namespace

double doubt_of_odds(double log_odds) {
  return kNoDoubt - std::clamp(log_odds, kMostDoubt, kNoDoubt);
}

double doubt_of(std::span<const std::vector<float>> texts) {
  double most = kMostDoubt;
  for (const std::vector<float>& vector : texts) {
    if (vector.size() != kNatureWeights.size()) return kUnknownDoubt;
    float sum = 0;
    for (std::size_t i = 0; i < vector.size(); ++i) sum += static_cast<float>(kNatureWeights[i]) * vector[i];
    most = std::max(most, static_cast<double>(kNatureConstant + kNatureStep * sum));
  }
  return texts.empty() ? kUnknownDoubt : doubt_of_odds(most);
}

}  // namespace glovebox::search
