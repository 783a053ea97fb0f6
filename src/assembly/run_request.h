// Turns the arguments of `execute_code` into a request of the gateway.
#pragma once

#include "capability/calls/remote_call.h"
#include "gateway/gateway.h"
#include "mcp/json/json_tree.h"

namespace glovebox::assembly {

// `owners_check` is what the owner's config says, if it does: the agent may ask for a stricter check, not for a laxer
// one.
//
// The agent is not trusted: `owners` is what the owner's config gives to every run, and sandbox_config can only take
// away from it. Asking for more is an error that says so.
Result<gateway::ExecuteRequest> read_execute_request(const mcp::json::object& arguments, const SandboxConfig& owners,
                                                     std::optional<CheckMode> owners_check = {});

// The same for a remote gateway, which has limits and grants of its own.
capability::RemoteCode code_to_send(const gateway::ExecuteRequest& request);

}  // namespace glovebox::assembly
