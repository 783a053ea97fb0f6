// describe_tools: how tools are called, as the declarations that code is checked against.
#pragma once

#include "assembly/gateway_process.h"
#include "mcp/server/server_core.h"

namespace glovebox::agent_tools {

Result<void> add_describe_tools(mcp::ServerCore& core, assembly::GatewayProcess& process);

}  // namespace glovebox::agent_tools
