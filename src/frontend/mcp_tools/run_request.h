// What `execute_code` was asked for, from its arguments to a request of the gateway.
#pragma once

#include "config/sandbox_settings.h"
#include "gateway/gateway.h"
#include "mcp/json_tree.h"

namespace glovebox::frontend {

// The agent is not trusted: `owners` is what the owner's config gives to every run, and sandbox_config can only take
// away from it. Asking for more is an error that says so.
Result<gateway::ExecuteRequest> read_execute_request(const mcp::json::object& arguments, const SandboxConfig& owners);

// `asked` within `owners`: lower limits, and grants that the owner gave or parts of them.
Result<SandboxConfig> narrow(const SandboxConfig& owners, const config::SandboxSettings& asked);

}  // namespace glovebox::frontend
