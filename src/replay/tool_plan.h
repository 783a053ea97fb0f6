// Reads the plan that a guest made of a program; it is untrusted, like everything from a guest.
#pragma once

#include "glovebox/sandbox.h"

namespace glovebox::replay {

// Fails if no guest could read the code, if it crashed, or if its result is no plan.
Result<ToolPlan> plan_of(Outcome outcome);

}  // namespace glovebox::replay
