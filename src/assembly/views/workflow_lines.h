// Events of a workflow as lines for people.
#pragma once

#include <string>

#include "gateway/approvals/approval_request.h"
#include "mcp/json/json_tree.h"
#include "store/workflows/workflow_records.h"

namespace glovebox::assembly {

// Empty for those that say nothing to a person, such as checkpoints.
std::string line_of(const store::WorkflowEvent& event);

// The question whether a workflow continues after a layer: `waits` is what workflow::report_on says of it. The request
// lists the tasks that are next as calls, with their arguments.
gateway::ApprovalRequest request_of_layer(const mcp::json::object& waits, const std::string& workflow);

}  // namespace glovebox::assembly
