#include "base/text/line_diff.h"

#include <algorithm>
#include <cstdint>

namespace glovebox::base {
namespace {

// Lines of what is the same, around a difference.
constexpr std::size_t kAround = 3;
// Beyond so many comparisons a difference is shown as all of one after all of the other.
constexpr std::size_t kMostComparisons = 4'000'000;

using Lines = std::vector<std::string>;
using Kind = DiffLine::Kind;

// The shortest way from one to the other, found in a table of longest common parts.
void append_changes(std::vector<DiffLine>& out, const Lines& before, std::size_t from, std::size_t before_end,
                    const Lines& after, std::size_t after_end) {
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
        out.push_back({Kind::kSame, before[from + i]});
        ++i, ++k;
      } else if (at(i + 1, k) >= at(i, k + 1)) {
        out.push_back({Kind::kGone, before[from + i++]});
      } else {
        out.push_back({Kind::kNew, after[from + k++]});
      }
    }
  }
  for (; i < rows; ++i) out.push_back({Kind::kGone, before[from + i]});
  for (; k < columns; ++k) out.push_back({Kind::kNew, after[from + k]});
}

std::vector<DiffLine> without_far_lines(const std::vector<DiffLine>& all) {
  std::vector<bool> keep(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].kind == Kind::kSame) continue;
    const std::size_t end = std::min(all.size(), i + kAround + 1);
    for (std::size_t k = i > kAround ? i - kAround : 0; k < end; ++k) keep[k] = true;
  }
  std::vector<DiffLine> out;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (keep[i]) {
      out.push_back(all[i]);
    } else if (out.empty() || out.back().kind != Kind::kLeftOut) {
      out.push_back({Kind::kLeftOut, ""});
    }
  }
  return out;
}

}  // namespace

std::vector<DiffLine> line_diff(const Lines& before, const Lines& after) {
  if (before == after) return {};
  std::size_t same = 0;
  while (same < std::min(before.size(), after.size()) && before[same] == after[same]) ++same;
  std::size_t tail = 0;
  while (tail < std::min(before.size(), after.size()) - same &&
         before[before.size() - 1 - tail] == after[after.size() - 1 - tail]) {
    ++tail;
  }
  std::vector<DiffLine> all;
  for (std::size_t i = 0; i < same; ++i) all.push_back({Kind::kSame, before[i]});
  append_changes(all, before, same, before.size() - tail, after, after.size() - tail);
  for (std::size_t i = before.size() - tail; i < before.size(); ++i) all.push_back({Kind::kSame, before[i]});
  return without_far_lines(all);
}

std::vector<std::string> diff_lines(const Lines& before, const Lines& after) {
  Lines out;
  for (const DiffLine& line : line_diff(before, after)) {
    const char* const sign = line.kind == Kind::kGone ? "- " : line.kind == Kind::kNew ? "+ " : "  ";
    out.push_back(line.kind == Kind::kLeftOut ? "  …" : sign + std::string(line.text));
  }
  return out;
}

std::vector<std::string> lines_of(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

}  // namespace glovebox::base
