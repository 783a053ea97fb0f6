#include "store/workflows/workflow_records.h"

namespace glovebox::store {

std::string_view name_of(WorkflowStatus status) {
  switch (status) {
    case WorkflowStatus::kRunning: return "running";
    case WorkflowStatus::kPaused: return "paused";
    case WorkflowStatus::kWaiting: return "waiting";
    case WorkflowStatus::kFinished: return "finished";
    case WorkflowStatus::kPartial: return "partial";
    case WorkflowStatus::kFailed: return "failed";
    case WorkflowStatus::kAborted: return "aborted";
    case WorkflowStatus::kDead: return "dead";
  }
  return "failed";
}

std::optional<WorkflowStatus> workflow_status_of(std::string_view name) {
  using enum WorkflowStatus;
  for (const WorkflowStatus status : {kRunning, kPaused, kWaiting, kFinished, kPartial, kFailed, kAborted, kDead}) {
    if (name_of(status) == name) return status;
  }
  return std::nullopt;
}

}  // namespace glovebox::store
