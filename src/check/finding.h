// What the language server reports about a text, parsed as untrusted input, and the diagnostics made from it.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "check/agent_text.h"
#include "glovebox/diagnostic.h"
#include "glovebox/result.h"

namespace glovebox::check {

// As the server counts: from 0, in the text that it was given.
struct TypeFinding {
  int code = 0;
  long line = 0, column = 0;
  long end_line = 0, end_column = 0;
  std::string message;
};

// The errors in the result of textDocument/diagnostic, at most `most`. Hints and findings about missing types are
// dropped.
Result<std::vector<TypeFinding>> read_findings(std::string_view result_json, std::size_t most);

// Whether any is a syntax error: then the other form of the text is worth a try.
bool has_syntax_error(const std::vector<TypeFinding>& findings);

// Which findings of a program are about tools: those that disappear when the tools are not declared. Undeclared names
// have type any, so whatever follows from the type of a tool, however indirectly, is not found there. Of those,
// findings that a correct program may have are reported but never stop it (check/harmless.h).
std::vector<Diagnostic> judge(const AgentText& text, const std::vector<TypeFinding>& with_tools,
                              const std::vector<TypeFinding>& without_tools);

// Long quoted types are truncated; control characters are made visible.
std::string readable_message(std::string_view message);
// The name in "Did you mean 'path'?".
std::string suggestion_in(std::string_view message);

}  // namespace glovebox::check
