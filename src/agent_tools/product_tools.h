// The tools that an agent sees when it is connected to `glovebox serve`.
#pragma once

#include "assembly/gateway_process.h"
#include "mcp/server/server_core.h"

namespace glovebox::agent_tools {

// All of them. `process` outlives the core.
Result<void> add_product_tools(mcp::ServerCore& core, assembly::GatewayProcess& process);

// A run as this client asks for it, with arguments of execute_code. Fails where they are wrong, or where it has too
// many runs under way or the gateway is about to end.
Result<gateway::ExecuteRequest> request_of(assembly::GatewayProcess& process, const mcp::ServerCall& call,
                                           const mcp::json::object& arguments);

// Updates what depends on the config: names of servers, and what can be asked for. Clients are notified.
void describe_product_tools(mcp::ServerCore& core, const assembly::GatewayProcess& process);

// What the client learns about us when it connects.
std::string product_instructions(const assembly::GatewayProcess& process);

}  // namespace glovebox::agent_tools
