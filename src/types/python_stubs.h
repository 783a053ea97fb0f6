// Tools as Python declarations (.pyi), from the same schemas as the TypeScript ones.
#pragma once

#include <string>
#include <vector>

#include "types/declarations.h"

namespace glovebox::types {

std::string python_stubs(const std::vector<ToolShape>& tools, const AskForPart& ask);

}  // namespace glovebox::types
