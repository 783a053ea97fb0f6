// What must outlive the gateway that drives a workflow: the rules of Store's members for workflows, and their limits.
//
// Every change of a workflow is one step, and a step is one transaction: after a crash it is there as a whole or not at
// all, and each transition is one durable write (it survives a power failure). All members may be called from any
// thread and wait for the disk.
//
// Who writes. A workflow has at most one owner, a node: a gateway that has joined the store (Store::join). Each claim
// makes its epoch grow, and every write names owner and epoch (its Fence). A writer whose fence is lost gets kConflict
// and has written nothing: it drops the workflow, with all that it has not saved, and reports nothing more about it. A
// node that has been removed from the store (its lease ran out, or its process was seen to be dead) writes nothing more
// either, whatever it tries, until it joins again under another id.
#pragma once

#include <cstddef>
#include <cstdint>

namespace glovebox::store {

// Claims without a checkpoint in between, after which a workflow is dead: it takes its gateways down with it.
inline constexpr std::int64_t kMostClaims = 5;
// Checkpoints from one snapshot to the next. The engine provides a snapshot when wants_snapshot() is true; without one
// state_at() is slower, nothing else.
inline constexpr std::int64_t kSnapshotEvery = 64;
inline bool wants_snapshot(std::int64_t last_checkpoint) {
  return last_checkpoint % kSnapshotEvery == 0;
}
// Outputs, snapshots and deltas beyond it are kept by their SHA-256, once however many refer to them.
inline constexpr std::size_t kLargeValue = std::size_t{16} << 10;

}  // namespace glovebox::store
