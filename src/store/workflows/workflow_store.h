// WorkflowStore: what must outlive the gateway that drives a workflow. Store is one.
//
// Every change of a workflow is one step, and a step is one transaction: what it says is there as a whole after a crash
// or not at all, and there is one durable write (it survives the end of the machine) for each transition. All members
// may be called from any thread and wait for the disk.
//
// Who writes. A workflow has at most one owner, a node: a gateway that has joined the store (Store::join). Each claim
// makes its epoch grow, and every write names owner and epoch (its Fence). A writer whose fence is lost gets kConflict
// and has written nothing: it drops the workflow, with all that it has not saved, and tells nobody anything more about
// it. A node that has been removed from the store (its lease ran out, or its process was seen to be dead) writes
// nothing more either, whatever it tries, until it joins anew under another id.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "glovebox/result.h"
#include "store/workflows/workflow_records.h"

namespace glovebox::store {

// Claims without a checkpoint in between, after which a workflow is dead: it takes its gateways with it.
inline constexpr std::int64_t kMostClaims = 5;
// Checkpoints from one snapshot to the next. The engine gives a snapshot when wants_snapshot() says so; one that gives
// none makes state_at() slower, nothing else.
inline constexpr std::int64_t kSnapshotEvery = 64;
inline bool wants_snapshot(std::int64_t last_checkpoint) {
  return last_checkpoint % kSnapshotEvery == 0;
}
// Outputs, snapshots and deltas beyond it are kept by their SHA-256, once however many refer to them.
inline constexpr std::size_t kLargeValue = std::size_t{16} << 10;

class WorkflowStore {
 public:
  virtual ~WorkflowStore() = default;

  // With its first step, which has the entry checkpoint. With an owner it is claimed (epoch 1) by the node of that id;
  // without one the next claim() takes it. kConflict when there is one of this id already.
  virtual Result<Fence> create_workflow(const WorkflowRecord& workflow, const WorkflowStep& first) = 0;

  // The oldest unended workflow that is nobody's or whose owner is not a node any more, whatever it waits for. No two
  // claims give the same one. One that has been claimed `most_claims` times without coming to a checkpoint is ended as
  // dead instead, with an event (workflow_abort, {"status":"dead",…}), and the next is looked at.
  virtual Result<std::optional<WorkflowRecord>> claim_workflow(const std::string& owner,
                                                               std::int64_t most_claims = kMostClaims) = 0;
  // This one, if it can be claimed: for `runs resume`. Nothing when it has ended or is a living node's.
  virtual Result<std::optional<WorkflowRecord>> claim_workflow_by_id(const std::string& workflow,
                                                                     const std::string& owner) = 0;
  // Nobody's from here on, and not counted as an attempt: a gateway that closes in good order.
  virtual Result<void> release_workflow(const Fence& fence) = 0;
  // One that has ended is open again and nobody's: `runs resume` of a dead one, a rollback. False when it has not
  // ended.
  virtual Result<bool> reopen_workflow(const std::string& workflow) = 0;

  // kConflict when the fence is lost or the workflow has ended.
  virtual Result<StepReceipt> save_step(const Fence& fence, const WorkflowStep& step) = 0;

  virtual Result<std::optional<WorkflowRecord>> find_workflow(const std::string& id) = 0;
  // Newest first, without definition, input, config and outcome. Of one client, or of all if it is empty.
  virtual Result<std::vector<WorkflowRecord>> list_workflows(std::optional<WorkflowStatus> status, std::size_t most,
                                                             const std::string& client = {}) = 0;
  // In the order of layer and id.
  virtual Result<std::vector<TaskRecord>> workflow_tasks(const std::string& workflow) = 0;
  virtual Result<std::vector<WorkflowEvent>> workflow_events_after(const std::string& workflow, std::int64_t number,
                                                                   std::size_t most) = 0;
  virtual Result<std::vector<CheckpointRecord>> workflow_checkpoints(const std::string& workflow) = 0;
  // kNotFound when there is no such checkpoint.
  virtual Result<StateParts> state_at(const std::string& workflow, std::int64_t checkpoint) = 0;

  // From anybody; the gateway that drives the workflow is woken. Gives its id; kNotFound when there is no such
  // workflow, kConflict when it has ended.
  virtual Result<std::int64_t> add_command(const WorkflowCommand& command) = 0;
  // Those that no step has consumed yet, in their order.
  virtual Result<std::vector<WorkflowCommand>> open_commands(const std::string& workflow) = 0;
  // Workflows of this owner that have open commands: one cheap question for all of them.
  virtual Result<std::vector<std::string>> workflows_with_commands(const std::string& owner) = 0;
};

}  // namespace glovebox::store
