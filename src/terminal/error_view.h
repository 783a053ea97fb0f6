// Shows a run's error to people: message, position, the line of code and a caret.
#pragma once

#include <string>
#include <string_view>

#include "glovebox/sandbox.h"

namespace glovebox::cli {

// "2 | the line" with a caret below it; empty where there is no such line, or it is too long to be read.
std::string source_frame(std::string_view code, const SourcePosition& position);

std::string describe_error(const RunError& error, std::string_view code, std::string_view file_name);

}  // namespace glovebox::cli
