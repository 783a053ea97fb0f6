// Tools as Python declarations (.pyi), from the same model as the TypeScript ones.
#pragma once

#include <string>
#include <vector>

#include "types/declarations.h"

namespace glovebox::types {

std::string python_stubs(const std::vector<ToolShape>& tools);

}  // namespace glovebox::types
