// Values that a line break splits, or that are split over two strings of a list, as lines of a log are.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "privacy/finding.h"

namespace glovebox::privacy {

struct LineBreak {
  std::size_t begin = 0;
  std::size_t end = 0;  // where the next line begins
};

// The break that begins at `at`, where there is \n or ".
std::optional<LineBreak> line_break_at(std::string_view text, std::size_t at);

// The two lines around a break as one, as far as a value reaches. Nothing where no value can span it, which a few bytes
// show in most cases.
class JoinedLines {
 public:
  static std::optional<JoinedLines> around(std::string_view text, LineBreak broken);

  // With or without a space between them.
  std::string with(bool space) const;
  // A finding in that text mapped to the original; nothing if it does not span the break, or the two lines are two
  // numbers of a list.
  std::optional<Finding> across(const Finding& finding, bool space) const;

 private:
  JoinedLines(std::string_view text, LineBreak broken, std::size_t begin, std::size_t end)
      : text_(text), broken_(broken), begin_(begin), end_(end) {}

  std::string_view text_;
  LineBreak broken_;
  std::size_t begin_;
  std::size_t end_;
};

// A value as it was before it was split.
std::string without_breaks(std::string_view value);

}  // namespace glovebox::privacy
