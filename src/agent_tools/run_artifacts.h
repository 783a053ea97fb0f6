// Artifacts of a client's own runs, as resources: glovebox://runs/{run}/artifacts/{name}.
#pragma once

#include "agent_tools/answer/artifact_blocks.h"
#include "assembly/gateway_process.h"
#include "mcp/server/server_core.h"

namespace glovebox::agent_tools {

Result<void> add_artifact_resources(mcp::ServerCore& core, assembly::GatewayProcess& process);

// Those of a stored run that its answer may show; the rest is shown by their names. On the store's thread.
std::vector<Artifact> stored_pictures(store::Store& store, const std::string& run);
// For the answer of a call that may see the run that they are of.
ArtifactAccess access_to(std::vector<Artifact> artifacts, const mcp::ServerCall& call);

}  // namespace glovebox::agent_tools
