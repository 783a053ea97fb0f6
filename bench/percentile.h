// The nearest-rank percentile: a number that was measured, never one between two. report/statistics.mjs does the same.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace glovebox::bench {

// `share` is between 0 and 1. Of no samples: not a number, which Figures writes as null.
inline double percentile(std::vector<double> samples, double share) {
  if (samples.empty()) return std::nan("");
  const auto rank = static_cast<std::size_t>(std::ceil(share * static_cast<double>(samples.size())));
  const auto position = samples.begin() + static_cast<std::ptrdiff_t>(std::max<std::size_t>(rank, 1) - 1);
  std::nth_element(samples.begin(), position, samples.end());
  return *position;
}

}  // namespace glovebox::bench
