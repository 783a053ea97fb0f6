// WorkflowState: what the tasks of a workflow have produced together. Four parts, each with a merge rule: messages are
// appended, tasks and decisions are merged by their id, context is merged deeply.
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

  bool has_notes = false;  // code has added more to a task than its id and status

  boost::json::object to_json() const;
  // The state as code and people see it: of the tasks, only those to which code has added something.
  boost::json::object visible() const;
  static Result<WorkflowState> of(const boost::json::value& tree);
};

// `update` has some of the four parts. One of the wrong type is refused, and the state is unchanged.
Result<void> reduce(WorkflowState& state, const boost::json::value& update);

// Members of `with` win; objects are merged, everything else is replaced, and null removes.
void merge_deeply(boost::json::object& into, const boost::json::object& with);

}  // namespace glovebox::workflow
