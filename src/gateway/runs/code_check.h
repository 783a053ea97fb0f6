// What a check of the code means for its run.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "glovebox/sandbox.h"

namespace glovebox::gateway {

struct CodeReport {
  std::vector<Diagnostic> diagnostics;
  std::string note;  // why nothing was checked; empty when it was
  double milliseconds = 0;
  std::vector<std::string> unlisted = {};  // servers that the code speaks of, and whose tools nobody knows yet
};

struct CodeToCheck {
  std::string code;
  Language language;
  std::string
      principal;  // whose code it is: what is remembered of it is told to nobody else, not even by how long it takes
};

// Checks TypeScript or Python against the tools that there are. `done` is called once, on the gateway's thread, in
// bounded time and never from within; not at all when the gateway closes.
using CheckCode = std::function<void(const CodeToCheck& code, std::function<void(CodeReport)> done)>;

struct CheckVerdict {
  std::vector<Diagnostic> diagnostics;  // for the result; errors are those that stop the run
  std::optional<Ending> stop;
};

CheckVerdict judge_code(CheckMode mode, CodeReport report, const std::string& file_name);

}  // namespace glovebox::gateway
