// describe_tools: how tools are called, as the very declarations that code is checked against.
#pragma once

#include "assembly/gateway_process.h"
#include "mcp/server/server_core.h"

namespace glovebox::frontend {

Result<void> add_describe_tools(mcp::ServerCore& core, GatewayProcess& process);

}  // namespace glovebox::frontend
