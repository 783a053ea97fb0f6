// Tools that are called as tasks (MCP 2025-11-25): the server answers at once with a task, whose result is requested
// separately. To the caller that is one call like others.
#pragma once

#include "mcp/json/json_tree.h"

namespace glovebox::mcp {

// Whether a tool's definition says that it may or must be called as a task.
bool runs_as_task(const json::object& tool);

}  // namespace glovebox::mcp
