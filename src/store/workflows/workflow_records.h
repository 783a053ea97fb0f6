// What the store keeps of workflows. JSON is text here: the store does not parse it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace glovebox::store {

enum class WorkflowStatus {
  kRunning,
  kPaused,    // by a person
  kWaiting,   // for a decision or an approval
  kFinished,  // all of it was done
  kPartial,   // a task failed without an effect, and the others went on
  kFailed,
  kAborted,  // by a person or the client
  kDead,     // taken up too often without coming forward: a person has to look at it
};
std::string_view name_of(WorkflowStatus status);
std::optional<WorkflowStatus> workflow_status_of(std::string_view name);
inline bool has_ended(WorkflowStatus status) {
  return status != WorkflowStatus::kRunning && status != WorkflowStatus::kPaused && status != WorkflowStatus::kWaiting;
}

// Times are milliseconds since 1970.
struct WorkflowRecord {
  std::string id;
  std::int64_t created = 0;
  std::optional<std::int64_t> ended;
  WorkflowStatus status = WorkflowStatus::kRunning;
  std::string definition;  // JSON, as it was validated
  std::string input;       // JSON
  std::string config;      // JSON: limits, grants, whatever it needs to be carried on elsewhere
  std::string client;      // who asked for it
  std::string session;
  std::string intent;
  std::string forked_from;  // "workflow" or "workflow@checkpoint"; empty for most
  std::string outcome;      // JSON, once it has ended

  // The store's own; ignored by create() but for the owner.
  std::string owner;            // the node that drives it; empty: nobody, yet
  std::int64_t epoch = 0;       // grows with every claim
  std::int64_t attempt = 0;     // claims since it last came forward
  std::int64_t last_event = 0;  // its number
  std::int64_t last_checkpoint = 0;
};

struct TaskRecord {
  std::string id;
  std::int64_t layer = 0;
  std::string status;  // in the engine's words
  std::int64_t attempt = 0;
  std::string run;     // the gateway's run that does it; empty: none yet
  std::string output;  // JSON; a large one is kept by its hash, once
  std::string error;   // JSON
  std::string idempotency_key;
  std::string detail;  // JSON: whatever else the engine needs to take it up again
  std::optional<std::int64_t> started;
  std::optional<std::int64_t> ended;
};

// Numbered from 1 in each workflow, without gaps. `save` numbers them.
struct WorkflowEvent {
  std::int64_t number = 0;
  std::int64_t at = 0;
  std::string type;
  std::string payload;  // JSON
};

// Numbered from 1 in each workflow, without gaps. `save` numbers them.
struct CheckpointRecord {
  std::int64_t number = 0;
  std::int64_t at = 0;
  std::string kind;        // entry, layer_start, task, layer_end, state, command, rollback
  std::string label;       // of the task or layer
  std::int64_t event = 0;  // the last event that belongs to it
};

// The state at a checkpoint, as the engine gave it: fold the deltas into the snapshot, in order.
struct StateParts {
  std::string snapshot;
  std::vector<std::string> deltas;
};

struct WorkflowCommand {
  std::int64_t id = 0;  // grows from command to command
  std::string workflow;
  std::string type;     // abort, pause, continue, …
  std::string payload;  // JSON
  std::string who;
  std::string channel;  // cli, http, mcp, …
  std::int64_t at = 0;
};

// Who may write to a workflow. It is had from claim() or create(), and holds until somebody else claims it, it is
// released, or the owner's node is removed.
struct Fence {
  std::string workflow;
  std::string owner;
  std::int64_t epoch = 0;
};

// A transition, written at once or not at all.
// Where the workflow stands after a save.
struct StepReceipt {
  std::int64_t last_event = 0;
  std::int64_t last_checkpoint = 0;
};

struct WorkflowStep {
  struct Checkpoint {
    std::int64_t at = 0;
    std::string kind;
    std::string label;
    std::string delta;                    // JSON: what changed since the last checkpoint; unused with a snapshot
    std::optional<std::string> snapshot;  // JSON: the whole state; the first checkpoint has one
  };
  std::optional<StepReceipt> after;     // where the workflow stands, as its driver knows; then nobody has to look
  std::vector<TaskRecord> tasks;        // each replaces the one with its id
  std::vector<std::string> drop_tasks;  // ids: a new plan, or a rollback
  // To be appended. Numbers are given to them; if the first has one that is there already, the step was saved before,
  // and is not saved again.
  std::vector<WorkflowEvent> events;
  std::optional<Checkpoint> checkpoint;  // belongs to the last of the events
  std::optional<WorkflowStatus> status;  // one that has ended closes the workflow
  std::int64_t ended = 0;                // with such a status
  std::optional<std::string> outcome;
  std::optional<std::string> definition;   // after a new plan
  std::int64_t commands_done = 0;          // those of this workflow up to this id will not be given again
  std::vector<std::string> drop_journals;  // of runs that have ended: nobody will make their changes again
};

}  // namespace glovebox::store
