// What a guest says it has read in a program, believed as little as everything else that it says.
#pragma once

#include "glovebox/sandbox.h"

namespace glovebox::replay {

// Fails when there was no guest to read the code, or it broke.
Result<ToolPlan> plan_of(Outcome outcome);

}  // namespace glovebox::replay
