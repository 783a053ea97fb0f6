#include "workflow/retry.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace glovebox::workflow {

std::chrono::milliseconds pause_before(const RetryRule& rule, int attempt, double jitter) {
  const double grown = static_cast<double>(rule.first_pause.count()) * std::pow(rule.factor, std::max(0, attempt - 2));
  const double most = static_cast<double>(rule.longest_pause.count());
  const double pause = std::min(grown, most) * (1 - 0.1 * std::clamp(jitter, 0.0, 1.0));
  return std::chrono::milliseconds(static_cast<std::int64_t>(pause));
}

bool may_end_differently(std::string_view code) {
  constexpr std::array<std::string_view, 13> kFinal = {
      "PERMISSION_DENIED", "APPROVAL_DENIED",  "INVALID_ARGUMENTS", "TOOL_NOT_FOUND", "TOOL_QUARANTINED",
      "TOOL_REFUSED",      "SERVER_NOT_FOUND", "SERVER_DISABLED",   "SYNTAX_ERROR",   "TYPE_CHECK_FAILED",
      "CANCELLED",         "BAD_REFERENCE",    "OUTCOME_UNKNOWN",
  };
  return std::find(kFinal.begin(), kFinal.end(), code) == kFinal.end();
}

}  // namespace glovebox::workflow
