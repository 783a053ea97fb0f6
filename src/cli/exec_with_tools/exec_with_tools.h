// `glovebox exec` for code that may call tools: with the servers and rules of the config file that was named.
#pragma once

#include "cli/exec/exec_command.h"

namespace glovebox::cli {

// The exit code: 6 when a person must be asked and there is no terminal; the run then waits in the workspace.
int run_exec_with_tools(const ExecOptions& options);

}  // namespace glovebox::cli
