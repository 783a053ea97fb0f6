// Types as Python.
#pragma once

#include <string>

#include "types/distinct_names.h"
#include "types/part.h"
#include "types/schema/type_model.h"

namespace glovebox::types {

// Names of types begin with `prefix`, and are none of `names`, to which they are added.
Part print_python(const ToolModel& model, DistinctNames& names, const std::string& prefix);

}  // namespace glovebox::types
