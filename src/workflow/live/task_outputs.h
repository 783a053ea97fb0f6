// Outputs of tasks: who needs them, and how much memory they take.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "store/workflows/workflow_records.h"
#include "workflow/definition/definition.h"

namespace glovebox::workflow {

// Limit of outputs in the answer, of tasks without dependents. Beyond it they are requested one by one.
inline constexpr std::size_t kMostLeaves = 100;

// About what a value uses: a list of small numbers has many times the bytes of its JSON.
std::size_t memory_of(const json::value& value);

bool has_ended(const store::TaskRecord& task);

// Tasks are identified by their place in a list.
struct OutputUse {
  std::vector<std::size_t> uses;  // dependencies, and what it refers to
  std::size_t users = 0;          // tasks that use it and have not ended
  bool is_leaf = false;           // no task uses it
};

struct OutputUses {
  std::vector<OutputUse> of;
  bool keeps_leaves = true;  // they are reported at the end, if there are few
  // Whether the output is needed: by a task, or at the end.
  bool wants(std::size_t place) const { return of[place].users > 0 || (keeps_leaves && of[place].is_leaf); }
};

struct TaskInPlan {
  const Task* task;
  bool has_ended;
};
// `places` has the tasks of the plan; others in the list belong to a former one.
OutputUses output_uses(const std::vector<TaskInPlan>& tasks, const std::map<std::string, std::size_t>& places);

}  // namespace glovebox::workflow
