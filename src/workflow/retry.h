// How often a task is tried, and how long it waits between attempts.
#pragma once

#include <chrono>
#include <string_view>

namespace glovebox::workflow {

struct RetryRule {
  int attempts = 1;  // in total
  std::chrono::milliseconds first_pause{1000};
  std::chrono::milliseconds longest_pause{60'000};
  double factor = 2;

  bool operator==(const RetryRule&) const = default;
};

// The pause before attempt `attempt`, which is at least 2. Up to a tenth shorter by `jitter` (a random number from 0 to
// 1), so that tasks that failed together are not retried together.
std::chrono::milliseconds pause_before(const RetryRule& rule, int attempt, double jitter);

// Whether another attempt can end differently: a refusal or a mistake in the code stays what it is.
bool may_end_differently(std::string_view error_code);

}  // namespace glovebox::workflow
