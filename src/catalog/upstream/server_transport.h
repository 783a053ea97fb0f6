// How a server is reached: as a child process, or at its address, with the tokens that are kept for it.
#pragma once

#include <functional>
#include <memory>
#include <string_view>

#include "catalog/upstream/upstream_context.h"
#include "mcp/client/client.h"

namespace glovebox::catalog {

// `on_log` gets what a process writes to its stderr.
Result<std::unique_ptr<mcp::ClientTransport>> open_transport(const UpstreamContext& context, const ServerSpec& spec,
                                                             std::function<void(std::string_view)> on_log);

}  // namespace glovebox::catalog
