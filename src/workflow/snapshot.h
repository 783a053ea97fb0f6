// What a checkpoint holds: the scheduler's position, and the state. A snapshot has all of the state, a delta what was
// added to it.
#pragma once

#include <string>

#include "store/workflows/workflow_records.h"
#include "workflow/scheduler.h"
#include "workflow/workflow_state.h"

namespace glovebox::workflow {

struct Snapshot {
  Position position;
  std::int64_t generation = 0;  // grows with every rollback: repeated work differs from what was done before
  WorkflowState state;
};

std::string snapshot_json(const Snapshot& snapshot);
// `updates` are those passed to `reduce`, in order.
std::string delta_json(const Snapshot& now, const boost::json::array& updates);
Result<Snapshot> snapshot_of(const store::StateParts& parts);

}  // namespace glovebox::workflow
