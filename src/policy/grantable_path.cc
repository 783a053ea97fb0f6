#include "policy/grantable_path.h"

#include <limits.h>

#include <string>

namespace glovebox::policy {

Result<void> check_grantable_path(std::string_view text) {
  if (!text.empty() && text.size() < PATH_MAX && text.find('\0') == std::string_view::npos) return {};
  return Failure{ErrorCode::kInvalidArgument,
                 "not a path that can be granted: \"" + std::string(text.substr(0, 100)) + '"'};
}

}  // namespace glovebox::policy
