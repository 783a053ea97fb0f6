// In a workspace whose config the owner has not trusted, the client's user is asked by a form, once, before the first
// call that depends on the config.
//
// Only clients whose forms the owner sees are asked: one on stdio, which the owner started on this machine, and one
// with an operator's token, which only a person at a terminal can make; and only if the form shows everything that the
// config grants. A yes holds for this gateway and is not stored, so a program that starts a gateway and answers its
// form itself has agreed to nothing that another gateway would honour. Lasting consent is given at a terminal
// (`glovebox trust`).
#pragma once

#include "assembly/gateway_process.h"
#include "mcp/server/server_core.h"

namespace glovebox::agent_tools {

// `handler` runs once the question is settled; at once where there is none.
mcp::CallHandler after_trust(assembly::GatewayProcess& process, mcp::CallHandler handler);

}  // namespace glovebox::agent_tools
