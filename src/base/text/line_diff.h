// Compares two texts line by line, for people.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace glovebox::base {

struct DiffLine {
  enum class Kind { kSame, kGone, kNew, kLeftOut };  // the last: lines that are the same, far from what is not
  Kind kind;
  std::string_view text;  // in one of the texts
};
// With a few lines of what is the same around what is not. Empty when nothing differs.
std::vector<DiffLine> line_diff(const std::vector<std::string>& before, const std::vector<std::string>& after);

// The same, each line after "- " (only before), "+ " (only after) or "  " (in both); "  …" for what is left out.
std::vector<std::string> diff_lines(const std::vector<std::string>& before, const std::vector<std::string>& after);

std::vector<std::string> lines_of(std::string_view text);

}  // namespace glovebox::base
