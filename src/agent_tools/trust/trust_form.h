// In a workspace whose config the owner has not agreed to, the client's person is asked by a form, once, before the
// first call that the config matters to.
//
// Only clients are asked whose forms the owner sees: one on stdio, which they have started on this machine, and one
// with an operator's token, which only a person at a terminal makes; and only where the form shows all that the config
// gives. A yes holds for this gateway and is kept nowhere: a program that starts a gateway of its own and answers its
// form itself has agreed to nothing that another gateway would honour. Lasting consent is given at a terminal
// (`glovebox trust`).
#pragma once

#include "assembly/gateway_process.h"
#include "mcp/server/server_core.h"

namespace glovebox::agent_tools {

// `handler` runs once the question is settled; at once where there is none.
mcp::CallHandler after_trust(assembly::GatewayProcess& process, mcp::CallHandler handler);

}  // namespace glovebox::agent_tools
