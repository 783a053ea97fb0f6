// The agent's tools for workflows: run_workflow and workflow_command.
#pragma once

#include "assembly/gateway_process.h"
#include "mcp/server/server_core.h"

namespace glovebox::agent_tools {

Result<void> add_workflow_tools(mcp::ServerCore& core, assembly::GatewayProcess& process);

// Whether it is the id of a workflow, and not of a run.
bool is_workflow_id(std::string_view id);

}  // namespace glovebox::agent_tools
