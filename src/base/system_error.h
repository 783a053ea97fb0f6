// Words failures of system calls in one way: "what: reason".
#pragma once

#include <string>

#include "glovebox/result.h"

namespace glovebox::base {

// `error_number` is passed in because errno does not survive the argument's own construction.
Failure system_failure(int error_number, std::string what);

}  // namespace glovebox::base
