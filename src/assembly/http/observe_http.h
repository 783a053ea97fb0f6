// The state of a gateway over HTTP, for roles that may watch:
//
//   GET /metrics   what it has counted and measured, in Prometheus' text format
//   GET /healthz   200: it answers
//   GET /readyz    200: it can run code and reach its store; 503 lists what is lacking, or "stopping"
#pragma once

#include "assembly/gateway_process.h"
#include "mcp/http/http_server.h"

namespace glovebox::assembly {

bool is_watched_path(const mcp::PlainRequest& request);
mcp::PlainResponse serve_observation(GatewayProcess& process, const mcp::PlainRequest& request);

// The metrics as they are now: gauges are set from what the gateway knows at this moment.
std::string metrics_text(GatewayProcess& process);

}  // namespace glovebox::assembly
