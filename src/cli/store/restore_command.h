// `glovebox store restore`: replaces the store of the workspace by a copy that `store backup` made.
#pragma once

#include <string>

#include "workspace/workspace.h"

namespace glovebox::cli {

struct RestoreOptions {
  WorkspaceFlags where;
  std::string file;
  bool yes = false;  // without a question
};

int restore_store(const RestoreOptions& options);

}  // namespace glovebox::cli
