// What a schema's references become: some names stay, most are replaced by what they stand for.
#pragma once

#include "types/type_model.h"

namespace glovebox::types {

// Cuts names that stand for themselves (A is B or C, B is A), which no language accepts, and intersections that would
// multiply out to too many alternatives.
void make_finite(ToolModel& model);

// Replaces names that are used once, or stand for little, and drops those that nobody uses.
void replace_small_names(ToolModel& model);

}  // namespace glovebox::types
