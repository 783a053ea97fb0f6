// Approvals over HTTP, for programs that show them to a person:
//
//   GET  /approvals          what is waited for
//   GET  /approvals/ID       one card
//   POST /approvals/ID {"decision":"approve"|"deny","scope"?:"once"|"run"|"session"|"always","calls"?:[N],"reason"?}
#pragma once

#include "frontend/serve/gateway_process.h"
#include "mcp/http_server.h"

namespace glovebox::frontend {

bool is_approval_path(const mcp::PlainRequest& request);
mcp::PlainResponse serve_approvals(GatewayProcess& process, const mcp::PlainRequest& request);

}  // namespace glovebox::frontend
