// `glovebox store import`: makes a file from `store export`, or the state in a folder, the store of the workspace, on
// SQLite or PostgreSQL, after the owner has confirmed.
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
