// The request for the run that does a task.
#pragma once

#include "gateway/gateway.h"
#include "workflow/definition/definition.h"
#include "workflow/definition/reference.h"
#include "workflow/workflow_state.h"

namespace glovebox::workflow {

// What a task sees of those that it waits for.
struct Seen {
  std::string task;
  std::string status;
  const json::value* output = nullptr;
  json::value error{};  // of one that failed
};

struct TaskSurroundings {
  const json::value& input;
  const WorkflowState& state;
  std::vector<Seen> dependencies;
  OutputOf output;  // of any task that it may refer to
};

Language language_of(const Task& task);

// Without id, client, session and key. Fails when a reference cannot be resolved.
Result<gateway::ExecuteRequest> make_request(const Task& task, const TaskSurroundings& around, SandboxConfig config,
                                             CheckMode check);

}  // namespace glovebox::workflow
