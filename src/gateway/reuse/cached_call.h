// Calls whose answer serves again: an earlier one that was the same has it, or one that is under way will have it.
#pragma once

#include <string_view>

#include "gateway/tool_call/checklist.h"

namespace glovebox::gateway {

// A step of the checklist. Whatever serves has passed all that are before it.
Says not_cached(PendingCall& call, ManagedRun& run);

// The call has an answer; keeps it, if it may serve again.
void keep_answer(PendingCall& call, const ManagedRun* run, std::string_view json);

// The call waits for a person or has ended: whoever waits for its answer tries again.
void leave_flight(PendingCall& call, bool kept = false);

}  // namespace glovebox::gateway
