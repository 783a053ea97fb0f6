// A tool's schemas as the signature of a Python function: get_current_time(timezone: str = 'UTC') -> str.
#pragma once

#include <string>

#include "catalog/tool.h"

namespace glovebox::skills {

// Made from the pinned definition, so that it cannot change independently. Never longer than a few kilobytes.
std::string python_signature(const catalog::Tool& tool);

}  // namespace glovebox::skills
