// `state` beside the result of a run: the run's `context.state`, with the `state` of its result merged into it as in a
// workflow.
#pragma once

#include <functional>
#include <string>

namespace glovebox::agent_tools {

// For the answer, an object with one member: `state`, or `stateError` for one that cannot be merged. Empty where the
// result has none. `context` is asked for the run's context, as JSON, only where it is needed.
std::string state_member(const std::string& outcome_json, const std::function<std::string()>& context);

}  // namespace glovebox::agent_tools
