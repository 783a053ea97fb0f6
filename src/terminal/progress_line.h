// What takes seconds, on one line of a person's terminal that goes away again.
#pragma once

#include <functional>
#include <string>

namespace glovebox::cli {

// For SandboxOptions::on_progress. Empty where standard error is no terminal.
std::function<void(const std::string&)> progress_on_terminal();

}  // namespace glovebox::cli
