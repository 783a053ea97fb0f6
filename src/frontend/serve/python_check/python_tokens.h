// Python text as tokens: enough of the language to find calls and what stands in their brackets.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace glovebox::frontend {

struct PythonToken {
  enum class Kind {
    kName,
    kNumber,
    kString,
    kFormatted /* text that is made at run time */,
    kOther /* bytes and the like */,
    kMark,
    kLineEnd
  };
  Kind kind = Kind::kMark;
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string_view text;  // of a string what stands between its quotes
  std::size_t match = 0;  // of a bracket: the other one's place in the list; 0: there is none
  bool is(std::string_view mark) const { return kind == Kind::kMark && text == mark; }
  bool is_name(std::string_view name) const { return kind == Kind::kName && text == name; }
};

// The first token is an end of a line that nobody wrote. Line ends within brackets are left out, comments are too; a
// semicolon ends a line.
std::vector<PythonToken> python_tokens(std::string_view code);

}  // namespace glovebox::frontend
