// The state of a gateway over HTTP, for roles that may watch:
//
//   GET /metrics   what it has counted and measured, in Prometheus' text format
//   GET /healthz   200: it answers
//   GET /readyz    200: it can run code and reach its store; 503 lists what is lacking, or "stopping"
#pragma once

#include <memory>

#include "assembly/gateway_process.h"
#include "mcp/http/http_reply.h"
#include "mcp/http/http_server.h"

namespace glovebox::assembly {

bool is_watched_path(const mcp::PlainRequest& request);
// Metrics are answered when the store has said what waits in it.
void serve_observation(GatewayProcess& process, const mcp::PlainRequest& request,
                       const std::shared_ptr<mcp::HttpReply>& reply);

}  // namespace glovebox::assembly
