// WorkflowState: what the tasks of a workflow have made together. Four parts, each with a rule for how something joins
// it: messages are appended, tasks and decisions are merged by their id, context is merged deeply.
#pragma once

#include <boost/json.hpp>
#include <string>

#include "glovebox/result.h"

namespace glovebox::workflow {

struct WorkflowState {
  boost::json::array messages;
  boost::json::array tasks;      // {id, status?, …}
  boost::json::array decisions;  // {id, …}
  boost::json::object context;

  bool has_notes = false;  // code has said more of a task than its id and status

  boost::json::object to_json() const;
  // What code and people are told: of the tasks, those that code has said something of.
  boost::json::object told() const;
  static Result<WorkflowState> of(const boost::json::value& tree);
};

// `update` has some of the four. What is of another kind is refused, and the state is as it was.
Result<void> reduce(WorkflowState& state, const boost::json::value& update);

// Members of `with` win; objects are merged, everything else is replaced, and null removes.
void merge_deeply(boost::json::object& into, const boost::json::object& with);

}  // namespace glovebox::workflow
