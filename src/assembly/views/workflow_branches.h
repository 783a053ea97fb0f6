// Forks and rollbacks as they are asked for by programs: MCP and HTTP say the same.
//
//   {"checkpoint": 4, "args": {"task": {…}}, "input": …}     fork; all may be left out
//   {"checkpoint": 4}                                        rollback
#pragma once

#include <string>

#include "mcp/json/json_tree.h"
#include "workflow/engine.h"

namespace glovebox::assembly {

// As many as are listed for one workflow; all of them are in `glovebox runs show`.
inline constexpr std::size_t kMostCheckpointsListed = 50;

// `done` is passed the id of the new workflow.
void fork_workflow(workflow::WorkflowEngine& engine, const std::string& workflow, const mcp::json::object& said,
                   const std::string& client, const std::string& session,
                   const std::optional<policy::ClientProfile>& profile, workflow::WorkflowEngine::Started done);
void roll_back_workflow(workflow::WorkflowEngine& engine, const std::string& workflow, const mcp::json::object& said,
                        const std::string& who, const std::string& channel, workflow::WorkflowEngine::Commanded done);

}  // namespace glovebox::assembly
