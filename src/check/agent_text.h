// A program as its checker reads it, and the checker's positions back in the program.
//
// Code is the body of an async function, or one expression (guest/source.h). Each form is the same text between a line
// before it and a line after it, so that lines differ by one and columns not at all.
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

  // A position of the checker, counted from 0 in the text of either form, within the code: one that lies in a line of
  // ours is moved to the nearest end.
  SourcePosition position(long line, long column) const;
  // The code's line, neutralised and cut around the column where it is long, and a caret below it.
  struct Excerpt {
    std::string line;
    std::string caret;
  };
  Excerpt excerpt(const SourcePosition& from, const SourcePosition& to) const;

  // What the code has at a position of the checker, up to its end on that line.
  std::string_view text_from(long line, long column) const;
  const std::string& code() const { return code_; }

 private:
  std::string code_;               // as it was sent, for who reads it
  program::AgentProgram program_;  // as it runs
  std::vector<std::size_t> line_starts_;

  std::string_view line(int number) const;
};

}  // namespace glovebox::check
