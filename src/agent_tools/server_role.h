// execute_code of a gateway with `--role server`: the code is analysed before anything runs. Code that needs a tool of
// the client's machine is returned to the client's own gateway, which runs it and reports the outcome (report_run).
#pragma once

#include <memory>

#include "agent_tools/run_conversation.h"
#include "assembly/gateway_process.h"
#include "mcp/server/server_core.h"

namespace glovebox::agent_tools {

// Whether the caller is another gateway, which can run code: it has sent the id of its workspace.
bool is_gateway(const std::string& principal);

void execute_as_server(assembly::GatewayProcess& process, const std::shared_ptr<mcp::ServerCall>& call,
                       const std::shared_ptr<RunConversation>& conversation, gateway::ExecuteRequest request);

Result<void> add_report_tool(mcp::ServerCore& core, assembly::GatewayProcess& process);

}  // namespace glovebox::agent_tools
