// The paths of a gateway beside MCP, and whose token opens which:
//
//   /metrics /healthz /readyz    viewer, approver, operator      observe_http.h
//   /approvals                   approver, operator              approvals_http.h
//   /workflows                   agent: its own; approver: sees all, and answers; operator: all    workflows_http.h
#pragma once

#include <functional>
#include <memory>

#include "frontend/serve/gateway_process.h"
#include "mcp/http_reply.h"
#include "mcp/http_server.h"

namespace glovebox::frontend {

mcp::PlainResponse serve_plain(GatewayProcess& process, const mcp::PlainRequest& request);

// Takes the request if it is one for a stream of events.
bool serve_stream(GatewayProcess& process, const mcp::PlainRequest& request,
                  const std::shared_ptr<mcp::HttpReply>& reply, std::function<void()>& on_hang_up);

}  // namespace glovebox::frontend
