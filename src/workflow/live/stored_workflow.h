// What a workflow is built from. It is read as a whole on the store's thread, so that the loop, where the workflow is
// built, waits for no part of it, and nothing happens to the workflow in between.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "glovebox/result.h"
#include "store/store.h"
#include "workflow/definition/definition.h"
#include "workflow/snapshot.h"

namespace glovebox::workflow {

struct StoredWorkflow {
  store::WorkflowRecord record;
  Definition definition;
  json::value input;
  std::int64_t checkpoint = 0;
  Snapshot snapshot;
  std::vector<store::TaskRecord> tasks;        // without outputs
  std::map<std::string, json::value> outputs;  // that the plan needs, by task
  std::set<std::string> waiting;               // runs of its tasks that wait for a person

  // As it stands, to be driven.
  static Result<StoredWorkflow> read(store::Store& store, store::WorkflowRecord record, std::size_t most_bytes);
  // As it was at a checkpoint (0: the last), without outputs: they depend on the plan that it goes on with. Tasks that
  // had ended by then, and have the same status now, stay ended; the others are pending.
  static Result<StoredWorkflow> read_at(store::Store& store, const std::string& workflow, std::int64_t checkpoint);
  // Those that the definition needs, but for what is known. Beyond `most_bytes` in memory none is read: no gateway
  // keeps more, and finds that one is missing.
  Result<void> read_outputs(store::Store& store, std::size_t most_bytes, const std::set<std::string>& known = {});
};

}  // namespace glovebox::workflow
