// How long the owner wants an engine to stand by for the next `glovebox exec`.
#pragma once

#include <chrono>

#include "glovebox/result.h"

namespace glovebox::cli {

// Of GLOVEBOX_STANDBY. Zero: not at all.
Result<std::chrono::milliseconds> standby_time();

}  // namespace glovebox::cli
