// `glovebox tools approve`: a person reviews what has changed in a tool's definition, and pins it.
#pragma once

#include <string>

#include "workspace/workspace.h"

namespace glovebox::cli {

struct ToolApproval {
  WorkspaceFlags where;
  std::string which;  // SERVER.TOOL, or a server for all of its quarantined tools
  std::string token;  // an operator's, in place of a person at a terminal; may be empty
};

int approve_tools(const ToolApproval& options);

}  // namespace glovebox::cli
