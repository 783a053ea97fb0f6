#include "terminal/standby_time.h"

#include <cstdlib>
#include <string>

#include "standby/request.h"
#include "terminal/quantities.h"

namespace glovebox::cli {

Result<std::chrono::milliseconds> standby_time() {
  constexpr std::chrono::hours kMost{1};
  const char* const wanted = std::getenv(standby::kVariable);
  if (!wanted || !*wanted) return std::chrono::milliseconds(0);
  auto time = parse_duration(wanted);
  if (time && *time <= kMost) return time;
  return Failure{ErrorCode::kInvalidArgument,
                 std::string(standby::kVariable) + " takes a duration of at most an hour, such as 60s"};
}

}  // namespace glovebox::cli
