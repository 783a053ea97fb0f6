// Turns the options of `glovebox exec` into a request for the sandbox: code, context, config file, limits, grants.
#pragma once

#include <string>
#include <vector>

#include "cli/exec/exec_command.h"
#include "glovebox/sandbox.h"

namespace glovebox::cli {

struct ExecRequest {
  RunRequest run;
  // Grants in a config file that was not named, so they do not count: allowRead, …. Mentioned when the run was denied
  // something.
  std::vector<std::string> unused_grants;
  std::vector<std::string> degraded;  // layers that may be missing: typed, or in a config file that was named
};

// From --lang, else the file's extension.
Result<Language> language_of(const ExecOptions& options);

Result<ExecRequest> make_exec_request(const ExecOptions& options);

}  // namespace glovebox::cli
