#include "cli/session/line_diff.h"

#include <algorithm>
#include <cstdint>

namespace glovebox::cli {
namespace {

// Lines of what is the same, around a difference.
constexpr std::size_t kAround = 3;
// Beyond so many comparisons a difference is shown as all of one after all of the other.
constexpr std::size_t kMostComparisons = 4'000'000;

using Lines = std::vector<std::string>;

// The shortest way from one to the other, found in a table of longest common parts.
void append_changes(Lines& out, const Lines& before, std::size_t from, std::size_t before_end, const Lines& after,
                    std::size_t after_end) {
  const std::size_t rows = before_end - from;
  const std::size_t columns = after_end - from;
  std::size_t i = 0;
  std::size_t k = 0;
  if (rows > 0 && columns > 0 && rows <= kMostComparisons / columns) {
    std::vector<std::uint32_t> common((rows + 1) * (columns + 1));
    const auto at = [&](std::size_t row, std::size_t column) -> std::uint32_t& {
      return common[row * (columns + 1) + column];
    };
    for (std::size_t row = rows; row-- > 0;) {
      for (std::size_t column = columns; column-- > 0;) {
        at(row, column) = before[from + row] == after[from + column]
                              ? at(row + 1, column + 1) + 1
                              : std::max(at(row + 1, column), at(row, column + 1));
      }
    }
    while (i < rows && k < columns) {
      if (before[from + i] == after[from + k]) {
        out.push_back("  " + before[from + i]);
        ++i, ++k;
      } else if (at(i + 1, k) >= at(i, k + 1)) {
        out.push_back("- " + before[from + i++]);
      } else {
        out.push_back("+ " + after[from + k++]);
      }
    }
  }
  for (; i < rows; ++i) out.push_back("- " + before[from + i]);
  for (; k < columns; ++k) out.push_back("+ " + after[from + k]);
}

// Without what is far from any difference.
Lines shortened_diff(const Lines& all) {
  std::vector<bool> keep(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].starts_with("  ")) continue;
    const std::size_t end = std::min(all.size(), i + kAround + 1);
    for (std::size_t k = i > kAround ? i - kAround : 0; k < end; ++k) keep[k] = true;
  }
  Lines out;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (keep[i]) {
      out.push_back(all[i]);
    } else if (out.empty() || out.back() != "  …") {
      out.emplace_back("  …");
    }
  }
  return out;
}

}  // namespace

std::vector<std::string> diff_lines(const Lines& before, const Lines& after) {
  if (before == after) return {};
  std::size_t same = 0;
  while (same < std::min(before.size(), after.size()) && before[same] == after[same]) ++same;
  std::size_t tail = 0;
  while (tail < std::min(before.size(), after.size()) - same &&
         before[before.size() - 1 - tail] == after[after.size() - 1 - tail]) {
    ++tail;
  }
  Lines all;
  for (std::size_t i = 0; i < same; ++i) all.push_back("  " + before[i]);
  append_changes(all, before, same, before.size() - tail, after, after.size() - tail);
  for (std::size_t i = before.size() - tail; i < before.size(); ++i) all.push_back("  " + before[i]);
  return shortened_diff(all);
}

std::vector<std::string> lines_of(const std::string& text) {
  Lines lines;
  std::size_t from = 0;
  while (from < text.size()) {
    const std::size_t end = std::min(text.find('\n', from), text.size());
    lines.push_back(text.substr(from, end - from));
    from = end + 1;
  }
  return lines;
}

}  // namespace glovebox::cli
