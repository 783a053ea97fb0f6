// Where a workflow stands, for people and programs: as the store knows it, whichever gateway drives it.
#pragma once

#include <boost/json.hpp>
#include <optional>
#include <string>

#include "store/store.h"

namespace glovebox::workflow {

// {workflow_id, status, intent, created, ended, layer, checkpoint, event, tasks: [{id, layer, status, …}],
//  waitsFor: [{kind: layer|approval|outcome_unknown, …}], outcome}. A layer comes with the `tasks` that are
// next, and their `digest`: a person's approval covers these. An approval has its request (`card`), except those beyond
// 8 MB, which are read by their id. kNotFound when there is no such workflow. Outputs of the tasks of the last layer
// are included where they are small.
Result<boost::json::object> report_on(store::Store& store, const std::string& workflow);

// [{checkpoint, kind, label, event}], the last `most` of them: where a rollback or a fork may begin.
Result<boost::json::array> checkpoints_of(store::Store& store, const std::string& workflow, std::size_t most);

// One line for a list.
boost::json::object summary_of(const store::WorkflowRecord& record);

}  // namespace glovebox::workflow
