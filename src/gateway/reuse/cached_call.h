// Calls whose result may be cached: taken from an earlier identical call, or from one that is under way.
#pragma once

#include <string_view>

#include "gateway/tool_call/checklist.h"

namespace glovebox::gateway {

// A step of the checklist. A cached result is returned only after all earlier steps.
Says not_cached(PendingCall& call, ManagedRun& run);

// The call has a result; caches it if that is allowed.
void keep_answer(PendingCall& call, const ManagedRun* run, std::string_view json);

// The call waits for a person or has ended: calls that wait for its result try again.
void leave_flight(PendingCall& call, bool kept = false);

}  // namespace glovebox::gateway
