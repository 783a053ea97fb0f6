// The total time limit of a run; here, because settings are compared by it before there is any run.
#include <algorithm>

#include "glovebox/sandbox.h"

namespace glovebox {

std::chrono::milliseconds SandboxConfig::most_time() const {
  constexpr std::chrono::milliseconds kUsual = std::chrono::minutes(10);
  return total_timeout.value_or(std::max(kUsual, timeout));
}

}  // namespace glovebox
