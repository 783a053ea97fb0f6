// A yes or no of the person at this terminal.
#pragma once

#include <string>

namespace glovebox::cli {

// Whether there is one to ask.
bool has_terminal();
// Anything but y or yes is a no. What was typed before the question counts for nothing.
bool owner_says_yes(const std::string& question);

}  // namespace glovebox::cli
