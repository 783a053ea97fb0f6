// The program in what an agent sent. Models put Markdown fences around code, import what is a global here, and export
// what they want to be run; none of that runs as it is. The result here is what a guest runs, what its plan is made
// from and what is checked. People, records and digests have the text as it was sent.
//
// Nothing that runs is hidden from a reader of the text: words are left out or replaced by equivalent ones, and nothing
// is added except the value of what is exported.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace glovebox::program {

struct AgentProgram {
  std::string code;  // every line at its original place
  std::string tail;  // what is appended to the code when it is run as a body: "return main"; or nothing
};

// For TypeScript or JavaScript; nothing when the text is already the program. That costs a search for three words.
std::optional<AgentProgram> read_agent_program(std::string_view text);

// Without Markdown fences and the text after the last of them, each line at its original place; nothing where there are
// none.
std::optional<std::string> without_fences(std::string_view text);

// Whether code that is invalid in its own language appears to be Python.
bool looks_like_python(std::string_view code);

}  // namespace glovebox::program
