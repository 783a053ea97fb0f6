// The checklist of a tool call before it is made: named steps, in order, of which the last one approves the call.
//
// Each step lets the call proceed, makes it wait, or refuses it. A call that has waited starts over from the first
// step, because the tool, the rules and people's answers may have changed. ARCHITECTURE.md has the list, and a test
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

// The result of a step.
struct Proceed {};
enum class WaitFor {
  kPerson,
  kSameCall,  // the same call is under way, and its result will be used
  kRoom,      // fewer calls under way
  kStore,     // the record that it is about to be made
};
using Refuse = ToolFailure;  // already in the audit log
// A cached result is returned, and no call is made.
struct Serve {
  std::shared_ptr<const std::string> json;
};
using Says = std::variant<Proceed, WaitFor, Refuse, Serve, catalog::ApprovedCall>;

// The result of the first step that does not proceed: never Proceed. Steps are run nowhere else, so this is the only
// way to an ApprovedCall.
Says check_call(PendingCall& call, ManagedRun& run);

// The names of the steps, in order.
std::vector<std::string> step_names();

// Whether another call of this tool may begin now.
bool has_room(const PendingCall& call, const ManagedRun& run);

}  // namespace glovebox::gateway
