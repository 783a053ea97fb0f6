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

std::size_t bytes_of(const WorkflowStep& step) {
  std::size_t bytes = step.outcome ? step.outcome->size() : 0;
  for (const TaskRecord& task : step.tasks) bytes += task.output.size() + task.error.size() + task.detail.size();
  for (const WorkflowEvent& event : step.events) bytes += event.payload.size();
  if (step.checkpoint) bytes += step.checkpoint->snapshot.value_or(step.checkpoint->delta).size();
  return bytes;
}

}  // namespace glovebox::store
