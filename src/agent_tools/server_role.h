// execute_code of a gateway with `--role server`: the code is read before anything runs. What needs a tool that only
// the client's machine has goes back to the client's own gateway, which runs it and says what came of it (report_run).
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
