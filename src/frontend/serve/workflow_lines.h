// Events of a workflow as lines that people read.
#pragma once

#include <string>

#include "store/workflow_records.h"

namespace glovebox::frontend {

// Empty for those that say nothing to a person, such as checkpoints.
std::string line_of(const store::WorkflowEvent& event);

}  // namespace glovebox::frontend
