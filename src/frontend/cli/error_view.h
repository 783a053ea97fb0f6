// A run's error as people read it: what, where, the line of code and a caret.
#pragma once

#include <string>
#include <string_view>

#include "glovebox/sandbox.h"

namespace glovebox::frontend {

std::string describe_error(const RunError& error, std::string_view code, std::string_view file_name);

}  // namespace glovebox::frontend
