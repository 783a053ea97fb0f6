// What a person is asked when a layer is complete: the tasks that are next. A yes is for these tasks, and for no others
// that take their place.
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
