// A program as text for its checker, and the checker's positions mapped back to the program.
//
// Code is the body of an async function, or one expression (guest/source.h). Each form is the same text between a line
// before and a line after it, so that lines are shifted by one and columns are the same.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "glovebox/diagnostic.h"
#include "program/agent_program.h"

namespace glovebox::check {

enum class AgentForm { kBody, kExpression };

class AgentText {
 public:
  explicit AgentText(std::string code);

  std::string in_form(AgentForm form) const;

  // Maps a position of the checker, counted from 0 in the text of either form, to the code: one in a line that we added
  // is moved to the nearest end of the code.
  SourcePosition position(long line, long column) const;
  // The code's line, neutralised and truncated around the column if it is long, and a caret below it.
  struct Excerpt {
    std::string line;
    std::string caret;
  };
  Excerpt excerpt(const SourcePosition& from, const SourcePosition& to) const;

  // The code from a position of the checker to the end of that line.
  std::string_view text_from(long line, long column) const;
  const std::string& code() const { return code_; }

 private:
  std::string code_;               // as it was sent, for display
  program::AgentProgram program_;  // as it runs
  std::vector<std::size_t> line_starts_;

  std::string_view line(int number) const;
};

}  // namespace glovebox::check
