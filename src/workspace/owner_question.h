// Asks the person at this terminal a yes-or-no question.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace glovebox::cli {

// Whether there is one to ask.
bool has_terminal();
// Anything but y or yes is a no. What was typed before the question counts for nothing.
bool owner_says_yes(const std::string& question);
// The same about all of these lines. However many there are, none has left the screen when it is agreed to: each screen
// of them is asked about.
bool owner_says_yes(const std::vector<std::string>& lines, const std::string& question);

// Lines as a terminal shows them, in parts of at most `rows` rows.
std::vector<std::vector<std::string>> screens_of(const std::vector<std::string>& lines, std::size_t columns,
                                                 std::size_t rows);

}  // namespace glovebox::cli
