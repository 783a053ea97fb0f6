// Two texts compared line by line, for people.
#pragma once

#include <string>
#include <vector>

namespace glovebox::cli {

// Lines of both, each after "- " (only before), "+ " (only after) or "  " (in both), with a few lines of what is the
// same around what is not. Empty when nothing differs.
std::vector<std::string> diff_lines(const std::vector<std::string>& before, const std::vector<std::string>& after);

std::vector<std::string> lines_of(const std::string& text);

}  // namespace glovebox::cli
