// search_tools: finds the tools that code can call, by intent; also for the intent of execute_code.
#pragma once

#include <memory>
#include <string>

#include "assembly/gateway_process.h"
#include "mcp/server/server_call.h"
#include "mcp/server/server_core.h"

namespace glovebox::agent_tools {

Result<void> add_search_tool(mcp::ServerCore& core, assembly::GatewayProcess& process);

// An object, whose members are beside the tools: why there is nothing or less than there could be (note), a model that
// cannot be used (warning), servers that did not answer (unavailable). {} where all is well.
std::string search_remarks(assembly::GatewayProcess& process, const discovery::Findings& findings,
                           const std::string& server, bool has_intent);

// The tools that execute_code is given for an intent: the best five, among those that `patterns` name, if it does.
discovery::Wish wish_for_run(const gateway::ExecuteRequest& request, const std::string& workspace);

// execute_code without code: what the code could call, to be called again with it.
void reply_with_tools(assembly::GatewayProcess& process, const std::shared_ptr<mcp::ServerCall>& call,
                      discovery::Wish wish);

}  // namespace glovebox::agent_tools
