// Leaves a keeper behind, and finds the one that is there.
#pragma once

#include <sys/types.h>

#include <chrono>

#include "glovebox/result.h"

namespace glovebox::standby {

// Nothing if there is one, or none can be. It has none of our descriptors, no terminal and no environment.
void leave_keeper(std::chrono::milliseconds time);

// Why no engine can stand by for this user on this machine, if so.
Result<void> check_standby();

// Its pid; 0: there is none.
pid_t find_keeper();

}  // namespace glovebox::standby
