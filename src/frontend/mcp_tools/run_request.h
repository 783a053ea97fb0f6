// What `execute_code` was asked for, from its arguments to a request of the gateway.
#pragma once

#include "capability/remote_call.h"
#include "config/sandbox_settings.h"
#include "gateway/gateway.h"
#include "mcp/json_tree.h"

namespace glovebox::frontend {

// `check` is the mode where the agent names none. It may name any: the check is a help against mistakes, and what a run
// may do is decided elsewhere.
//
// The agent is not trusted: `owners` is what the owner's config gives to every run, and sandbox_config can only take
// away from it. Asking for more is an error that says so.
Result<gateway::ExecuteRequest> read_execute_request(const mcp::json::object& arguments, const SandboxConfig& owners,
                                                     CheckMode check = CheckMode::kTools);

// The same for a remote gateway, which has limits and grants of its own.
capability::RemoteCode code_to_send(const gateway::ExecuteRequest& request);

// A sandbox_config as an agent writes it, within `owners`.
Result<SandboxConfig> narrowed(const SandboxConfig& owners, const mcp::json::object& sandbox_config);

// `asked` within `owners`: lower limits, and grants that the owner gave or parts of them.
Result<SandboxConfig> narrow(const SandboxConfig& owners, const config::SandboxSettings& asked);

}  // namespace glovebox::frontend
