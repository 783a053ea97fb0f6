// What a call of a run passes before it is made: named steps, in order, of which the last one gives the leave.
//
// Each step lets the call go on, lets it wait or refuses it. A call that has waited starts again from the first step,
// because the tool, the rules and what people have said may be others by then. ARCHITECTURE.md has the list, and a test
// compares the two.
#pragma once

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "catalog/call/permitted_call.h"
#include "gateway/tool_call/pending_call.h"
#include "glovebox/tools.h"

namespace glovebox::gateway {

// What a step says.
struct Proceed {};
enum class WaitFor {
  kPerson,
  kSameCall,  // the same call is under way, and its answer will serve
  kRoom,      // fewer calls under way
  kStore,     // what is written down
};
using Refuse = ToolFailure;  // it is in the audit log already
// An answer that was kept serves, and no call is made.
struct Serve {
  std::shared_ptr<const std::string> json;
};
using Says = std::variant<Proceed, WaitFor, Refuse, Serve, catalog::ApprovedCall>;

// What the first step says that does not let it go on: never Proceed. No step is taken in another way, so this is the
// only way to an ApprovedCall.
Says check_call(PendingCall& call, ManagedRun& run);

// The names of the steps, in order.
std::vector<std::string> step_names();

// Whether another call of this tool may be under way now.
bool has_room(const PendingCall& call, const ManagedRun& run);

}  // namespace glovebox::gateway
