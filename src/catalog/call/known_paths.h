// Failures as reported to agents that know some of this machine's paths: those that the call itself named, and the
// workspace.
#pragma once

#include <string_view>

#include "catalog/call/reported_failure.h"

namespace glovebox::catalog {

struct KnownPaths {
  std::string_view workspace;  // absolute and normal; may be empty
  std::string_view arguments;  // of the call, as its code wrote them: JSON
};

CallFailure reported_failure(CallFailure failure, const KnownPaths& known);

}  // namespace glovebox::catalog
