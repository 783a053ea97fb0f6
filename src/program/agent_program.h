// The program in what an agent sent. Models put Markdown fences around code, import what is a global here, and export
// what they want to be run; none of that is a program as it stands. What is read here is what a guest runs, what its
// plan is made of and what is checked. People, records and digests have the text as it was sent.
//
// Nothing that runs is hidden from who reads the text: words are left out, or become others that say the same, and
// nothing is added but the value of what is exported.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace glovebox::program {

struct AgentProgram {
  std::string code;  // every line where it was
  std::string tail;  // what stands behind the code when it is run as a body: "return main"; or nothing
};

// Of TypeScript or JavaScript; nothing when the text is the program. That costs a search for three words.
std::optional<AgentProgram> read_agent_program(std::string_view text);

// Without the fences of Markdown and what stands behind the last of them, each line where it was; nothing where there
// are none.
std::optional<std::string> without_fences(std::string_view text);

// Whether code that is none in its own language is one in the other.
bool looks_like_python(std::string_view code);

}  // namespace glovebox::program
