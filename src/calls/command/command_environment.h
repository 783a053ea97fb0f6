// What a command finds in its environment: nothing but what the run may see and what it sets.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "calls/command/command.h"
#include "policy/env_grants.h"

namespace glovebox::calls {

using Environment = std::map<std::string, std::string, std::less<>>;

// `block` as in environ. A copy, because the program that embeds us may change its own at any time.
Environment copy_environment(const char* const* block);

// NAME=value, each name once.
//
// Ours: variables that a grant covers. Those that steer the loader only by their full name: where a wildcard stands,
// its owner thought of the application's variables. The guest's: only those that a grant names in full.
CommandResult<std::vector<std::string>> command_environment(const Environment& ours, const policy::EnvGrants& grants,
                                                            const CommandRequest& request);

}  // namespace glovebox::calls
