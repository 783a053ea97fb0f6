// How a gateway is, over HTTP, behind the token of everything else or that of `observe`:
//
//   GET /metrics   what it has counted and measured, in Prometheus' text format
//   GET /healthz   200: it answers
//   GET /readyz    200: it can run code and reach its store; 503 says what is lacking
#pragma once

#include <array>
#include <optional>

#include "frontend/serve/gateway_process.h"
#include "mcp/http_server.h"

namespace glovebox::frontend {

// What the token of `observe` opens.
inline constexpr std::array<const char*, 3> kWatchedPaths = {"/metrics", "/healthz", "/readyz"};

// Nothing where the path is another.
std::optional<mcp::PlainResponse> serve_observation(GatewayProcess& process, const mcp::PlainRequest& request);

// The metrics as they are now: gauges are set from what the gateway knows at this moment.
std::string metrics_text(GatewayProcess& process);

}  // namespace glovebox::frontend
