// A line on the terminal about work that takes seconds, removed when it is done.
#pragma once

#include <functional>
#include <string>

namespace glovebox::cli {

// For SandboxOptions::on_progress. Empty where standard error is no terminal.
std::function<void(const std::string&)> progress_on_terminal();

}  // namespace glovebox::cli
