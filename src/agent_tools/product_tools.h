// The tools that an agent sees when it is connected to `glovebox serve`.
#pragma once

#include "assembly/gateway_process.h"
#include "mcp/server/server_core.h"

namespace glovebox::agent_tools {

// All of them. `process` outlives the core.
Result<void> add_product_tools(mcp::ServerCore& core, assembly::GatewayProcess& process);

// For a tool that depends on the config: where the owner has not trusted that, the client's user is asked by a form,
// once, before the first such call. `handler` runs once the question is settled; at once where there is none.
//
// Only clients whose forms the owner sees are asked: one on stdio, which the owner started on this machine, and one
// with an operator's token, which only a person at a terminal can make; and only if the form shows everything that the
// config grants. A yes holds for this gateway and is not stored, so a program that starts a gateway and answers its
// form itself has agreed to nothing that another gateway would honour. Lasting consent is given at a terminal
// (`glovebox trust`).
mcp::CallHandler after_trust(assembly::GatewayProcess& process, mcp::CallHandler handler);

// A run as this client asks for it, with arguments of execute_code. Fails where they are wrong, or where it has too
// many runs under way or the gateway is about to end.
Result<gateway::ExecuteRequest> request_of(assembly::GatewayProcess& process, const mcp::ServerCall& call,
                                           const mcp::json::object& arguments);

// Updates what depends on the config: names of servers, and what can be asked for. Clients are notified.
void describe_product_tools(mcp::ServerCore& core, const assembly::GatewayProcess& process);

// What the client learns about us when it connects.
std::string product_instructions(const assembly::GatewayProcess& process);

}  // namespace glovebox::agent_tools
