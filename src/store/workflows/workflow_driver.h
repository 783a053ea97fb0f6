// For tests: drives workflows of numbered tasks, one step each, from the state in the store. What it does is a function
// of the store alone, as with an engine.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/try.h"
#include "store/store.h"

namespace glovebox::store {

inline std::string driven_output(int task) {
  // Some are large enough to be kept by their hash.
  return std::string(task % 3 == 2 ? kLargeValue + 10 : 10, static_cast<char>('a' + task % 26));
}

inline WorkflowStep driven_entry() {
  WorkflowStep step;
  step.events = {{0, 1, "workflow_start", "{}"}};
  step.checkpoint = WorkflowStep::Checkpoint{1, "entry", "", "", "[]"};
  return step;
}

inline WorkflowRecord driven_workflow(const std::string& id) {
  WorkflowRecord workflow;
  workflow.id = id;
  workflow.created = 1;
  workflow.definition = "{}";
  workflow.input = "{}";
  workflow.config = "{}";
  return workflow;
}

// Until it has ended, or a write fails. `committed` is called for each task whose step is in the store.
inline Result<void> drive(Store& store, const WorkflowRecord& workflow, int tasks,
                          const std::function<void(int task)>& committed = {}) {
  const Fence fence{workflow.id, workflow.owner, workflow.epoch};
  std::int64_t checkpoint = workflow.last_checkpoint;
  int next = 0;
  for (const TaskRecord& task : GLOVEBOX_TRY(store.workflow_tasks(workflow.id))) next += task.status == "done" ? 1 : 0;
  for (; next < tasks; ++next) {
    const std::string id = std::to_string(1000 + next);
    TaskRecord task;
    task.id = id;
    task.status = "running";
    task.idempotency_key = workflow.id + id;
    WorkflowStep begin;
    begin.tasks = {task};
    begin.events = {{0, 2, "task_start", id}};
    // A driver that began it before has saved that already.
    const auto before = GLOVEBOX_TRY(store.workflow_tasks(workflow.id));
    if (before.empty() || before.back().id != id) GLOVEBOX_TRY(store.save_step(fence, begin));
    task.status = "done";
    task.output = driven_output(next);
    WorkflowStep end;
    end.tasks = {task};
    end.events = {{0, 3, "task_complete", id}};
    end.checkpoint = WorkflowStep::Checkpoint{3, "task", id, "+" + id, std::nullopt};
    if (wants_snapshot(checkpoint)) end.checkpoint->snapshot = "[" + id + "]";
    for (const WorkflowCommand& command : GLOVEBOX_TRY(store.open_commands(workflow.id))) {
      end.commands_done = command.id;
      end.events.push_back({0, 3, "state_updated", command.payload});
    }
    checkpoint = GLOVEBOX_TRY(store.save_step(fence, end)).last_checkpoint;
    if (committed) committed(next);
  }
  WorkflowStep end;
  end.status = WorkflowStatus::kFinished;
  end.ended = 4;
  end.outcome = "{}";
  end.events = {{0, 4, "workflow_complete", "{}"}};
  GLOVEBOX_TRY(store.save_step(fence, end));
  return {};
}

// All that is kept of a workflow, except what differs from one driver to the next.
inline std::string picture(Store& store, const std::string& id) {
  const auto workflow = store.find_workflow(id).value();
  std::string text = std::string(name_of(workflow->status)) + " " + workflow->outcome;
  const auto tasks = store.workflow_tasks(id).value();
  for (const TaskRecord& task : tasks)
    text += "\ntask " + task.id + " " + task.status + " " + task.output + " " + task.idempotency_key;
  const auto events = store.workflow_events_after(id, 0, 100000).value();
  for (const WorkflowEvent& event : events)
    text += "\nevent " + std::to_string(event.number) + " " + event.type + " " + event.payload;
  const auto checkpoints = store.workflow_checkpoints(id).value();
  for (const CheckpointRecord& checkpoint : checkpoints)
    text += "\ncheckpoint " + std::to_string(checkpoint.number) + " " + checkpoint.label + " at " +
            std::to_string(checkpoint.event);
  const StateParts state = store.state_at(id, workflow->last_checkpoint).value();
  text += "\nstate " + state.snapshot;
  for (const std::string& delta : state.deltas) text += " " + delta;
  text += "\nopen commands " + std::to_string(store.open_commands(id).value().size());
  return text;
}

}  // namespace glovebox::store
