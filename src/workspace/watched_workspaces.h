// Workspaces that another process watches: their stores are opened once they exist, and again when they come back.
#pragma once

#include <vector>

#include "glovebox/result.h"
#include "http_api/workspace_access.h"
#include "workspace/workspace.h"

namespace glovebox::cli {

// Fails where a folder or its config cannot be read.
Result<std::vector<http_api::WorkspaceAccess>> watch_workspaces(const std::vector<WorkspaceFlags>& workspaces);

}  // namespace glovebox::cli
