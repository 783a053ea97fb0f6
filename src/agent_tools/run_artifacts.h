// Artifacts of a client's own runs, as resources: glovebox://runs/{run}/artifacts/{name}.
#pragma once

#include "agent_tools/answer/artifact_blocks.h"
#include "assembly/gateway_process.h"
#include "mcp/server/server_core.h"

namespace glovebox::agent_tools {

Result<void> add_artifact_resources(mcp::ServerCore& core, assembly::GatewayProcess& process);

// For the answer of a call that may see the run.
ArtifactAccess artifacts_of(assembly::GatewayProcess& process, const mcp::ServerCall& call, const std::string& run);

}  // namespace glovebox::agent_tools
