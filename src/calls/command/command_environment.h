// The environment of a command: only variables that the run may see, and those that it sets.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "calls/command/command.h"
#include "policy/env_grants.h"

namespace glovebox::calls {

using Environment = std::map<std::string, std::string, std::less<>>;

// `block` as in environ. A copy, because the embedding program may change its environment at any time.
Environment copy_environment(const char* const* block);

// NAME=value, each name once.
//
// Of ours: variables that a grant covers. Those that steer the loader must be granted by their full name: a wildcard is
// meant for the application's variables. Of the guest's: only those that a grant names in full.
CommandResult<std::vector<std::string>> command_environment(const Environment& ours, const policy::EnvGrants& grants,
                                                            const CommandRequest& request);

}  // namespace glovebox::calls
