// What the findings of a code check mean for the run.
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
  std::vector<std::string> unlisted = {};  // servers that the code uses and whose tools are not known yet
};

struct CodeToCheck {
  std::string code;
  Language language;
  std::string
      principal;  // whose code it is: what is remembered of it must not reach other principals, not even through timing
};

// Checks TypeScript or Python against the known tools. `done` is called once, on the gateway's thread, in bounded time
// and never from within this call; not at all when the gateway closes.
using CheckCode = std::function<void(const CodeToCheck& code, std::function<void(CodeReport)> done)>;

struct CheckVerdict {
  std::vector<Diagnostic> diagnostics;  // for the result; errors are those that stop the run
  std::optional<Ending> stop;
};

CheckVerdict judge_code(CheckMode mode, CodeReport report, const std::string& file_name);

}  // namespace glovebox::gateway
