// A ToolPlan as JSON: { tools: [{server, tool, line, column, when?}], dynamic: [{what, line, column}], error? }.
#pragma once

#include <string>

#include "glovebox/sandbox.h"

namespace glovebox::assembly {

std::string to_json(const ToolPlan& plan);

}  // namespace glovebox::assembly
