// What a schema's references become: some names stay, most are replaced by their types.
#pragma once

#include "types/schema/type_model.h"

namespace glovebox::types {

// Cuts names that refer to themselves (A is B or C, B is A), which no language accepts, and intersections that would
// multiply out to too many alternatives.
void make_finite(ToolModel& model);

// Replaces names that are used once or have small types, and drops unused ones.
void replace_small_names(ToolModel& model);

}  // namespace glovebox::types
