// Whether the tools of a definition exist, and accept its arguments.
#pragma once

#include <functional>
#include <memory>

#include "catalog/tool_source.h"
#include "gateway/gateway.h"
#include "workflow/definition/definition.h"

namespace glovebox::workflow {

// Servers are started where their tools are not known yet. Adds to `problems`; `at` is the pointer of the list of
// tasks. `done` is called once, not before this returns, with the tasks as their tools are really called.
void check_tools(catalog::ToolSource& tools, const gateway::Gateway& gateway, std::vector<Task> tasks, std::string at,
                 std::function<void(std::vector<Task>, Problems)> done);

// Arguments with references are not checked before the task runs.
bool has_references(const json::object& arguments);

}  // namespace glovebox::workflow
