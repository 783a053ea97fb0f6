// search_tools and describe_tools: which tools there are, and how they are called.
#pragma once

#include "frontend/serve/gateway_process.h"
#include "mcp/server_core.h"

namespace glovebox::frontend {

Result<void> add_discovery_tools(mcp::ServerCore& core, GatewayProcess& process);

}  // namespace glovebox::frontend
