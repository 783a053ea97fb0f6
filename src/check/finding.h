// What the language server says about a text, read with suspicion, and what becomes of it.
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
struct Finding {
  int code = 0;
  long line = 0, column = 0;
  long end_line = 0, end_column = 0;
  std::string message;
};

// The errors in the result of textDocument/diagnostic, at most so many. Hints are left out, and types that are
// not written down.
Result<std::vector<Finding>> read_findings(std::string_view result_json, std::size_t most);

// Whether any is about grammar: then the other form of the text is worth a try.
bool has_syntax_error(const std::vector<Finding>& findings);

// How the findings of a program are about tools: those that are gone when the tools are not declared at all. Names that
// are not declared have any type, so whatever follows from the type of a tool, however indirectly, is not found there.
// Of those, the ones that a right program may have are told and never held against it (check/harmless.h).
std::vector<Diagnostic> judge(const AgentText& text, const std::vector<Finding>& with_tools,
                              const std::vector<Finding>& without_tools);

// Types that are quoted at length are cut; controls are made visible.
std::string readable_message(std::string_view message);
// The name in "Did you mean 'path'?".
std::string suggestion_in(std::string_view message);

}  // namespace glovebox::check
