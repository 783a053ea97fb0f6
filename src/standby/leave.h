// Leaves a keeper behind, and finds the one that is there.
#pragma once

#include <sys/types.h>

#include <chrono>

#include "glovebox/result.h"

namespace glovebox::standby {

// Does nothing if there is one. It has none of our descriptors, no terminal and no environment.
Result<void> leave_keeper(std::chrono::milliseconds time);

// Its pid; 0: there is none.
pid_t find_keeper();

}  // namespace glovebox::standby
