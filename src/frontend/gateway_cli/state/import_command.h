// `glovebox store import`: state that lies elsewhere becomes that of the workspace, after its owner has said yes.
#pragma once

#include <string>

#include "frontend/gateway_cli/workspace.h"

namespace glovebox::frontend {

struct ImportOptions {
  WorkspaceFlags where;
  std::string from;  // a folder; empty: the workspace's .glovebox, where former versions kept it
};

int import_state(const ImportOptions& options);

}  // namespace glovebox::frontend
