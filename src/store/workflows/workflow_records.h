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
  kPartial,   // a task failed without an effect, and the others continued
  kFailed,
  kAborted,  // by a person or the client
  kDead,     // claimed too often without progress: a person has to examine it
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
  std::string config;      // JSON: limits, grants, and what else another node needs to continue it
  std::string client;      // who asked for it
  std::string session;
  std::string intent;
  std::string forked_from;  // "workflow" or "workflow@checkpoint"; empty for most
  std::string outcome;      // JSON, once it has ended

  // The store's own; ignored by create() but for the owner.
  std::string owner;            // the node that drives it; empty: none yet
  std::int64_t epoch = 0;       // grows with every claim
  std::int64_t attempt = 0;     // claims since it last made progress
  std::int64_t last_event = 0;  // its number
  std::int64_t last_checkpoint = 0;
  std::int64_t bytes = 0;  // that its steps have written
};

struct TaskRecord {
  std::string id;
  std::int64_t layer = 0;
  std::string status;  // in the engine's terms
  std::int64_t attempt = 0;
  std::string run;                // the gateway's run that does it; empty: none yet
  std::string output;             // JSON; a large one is kept by its hash, once
  std::int64_t output_bytes = 0;  // read with every row; of a short text it is the number of characters
  std::string error;              // JSON
  std::string idempotency_key;
  std::string detail;  // JSON: whatever else the engine needs to resume it
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

// The right to write to a workflow. It is returned by claim() or create(), and holds until another node claims it, it
// is released, or the owner's node is removed.
struct Fence {
  std::string workflow;
  std::string owner;
  std::int64_t epoch = 0;
};

// Where the workflow stands after a save.
struct StepReceipt {
  std::int64_t last_event = 0;
  std::int64_t last_checkpoint = 0;
};

// A transition, written as a whole or not at all.
struct WorkflowStep {
  struct Checkpoint {
    std::int64_t at = 0;
    std::string kind;
    std::string label;
    std::string delta;                    // JSON: what changed since the last checkpoint; unused with a snapshot
    std::optional<std::string> snapshot;  // JSON: the whole state; the first checkpoint has one
  };
  std::optional<StepReceipt> after;     // where the workflow stands, as its driver knows; spares a read
  std::vector<TaskRecord> tasks;        // each replaces the one with its id
  std::vector<std::string> drop_tasks;  // ids: removed by a new plan, or a rollback
  // To be appended. The store numbers them; if the first has a number that is there already, the step was saved before,
  // and is not saved again.
  std::vector<WorkflowEvent> events;
  std::optional<Checkpoint> checkpoint;  // belongs to the last of the events
  std::optional<WorkflowStatus> status;  // one that has ended closes the workflow
  std::int64_t ended = 0;                // with such a status
  std::optional<std::string> outcome;
  std::optional<std::string> definition;   // after a new plan
  std::int64_t commands_done = 0;          // those of this workflow up to this id are consumed
  std::vector<std::string> drop_journals;  // of runs that have ended: their changes will not be made again
};
// How much it adds to the store, where equal large values count each time. A plan replaces another, and does not count.
std::size_t bytes_of(const WorkflowStep& step);

}  // namespace glovebox::store
