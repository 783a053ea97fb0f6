// `glovebox store import`: what lies in a file of `store export`, or in a folder of state, becomes the store of the
// workspace, whichever kind that is, after its owner has said yes.
#pragma once

#include <string>

#include "workspace/workspace.h"

namespace glovebox::cli {

struct ImportOptions {
  WorkspaceFlags where;
  std::string from;  // a file or a folder; empty: the workspace's .glovebox, where former versions kept it
};

int import_state(const ImportOptions& options);

}  // namespace glovebox::cli
