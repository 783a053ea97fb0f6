// What a person is asked when a layer is complete: the tasks that are next. An approval covers these tasks, and no
// others that replace them.
#pragma once

#include <boost/json.hpp>
#include <string>
#include <vector>

#include "workflow/definition/definition.h"

namespace glovebox::workflow {

struct LayerQuestion {
  json::array tasks;   // as a definition has them
  std::string digest;  // of them
};

LayerQuestion question_about(std::vector<Task> next_tasks);

}  // namespace glovebox::workflow
