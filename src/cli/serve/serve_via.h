// `glovebox serve --via`: passes standard streams through to a gateway on another machine, in a container or in WSL. A
// client that cannot run Glovebox itself starts this instead.
#pragma once

#include <string>
#include <vector>

#include "glovebox/result.h"

namespace glovebox::cli {

// The program that leads there, with its arguments: ssh://[USER@]HOST[:PORT], docker://CONTAINER, wsl or
// wsl://DISTRIBUTION. `serve` is the command there: {"glovebox", "serve", …}.
Result<std::vector<std::string>> command_via(const std::string& place, const std::vector<std::string>& serve);

// Becomes that program; returns only if it cannot.
Failure become(const std::vector<std::string>& command);

}  // namespace glovebox::cli
