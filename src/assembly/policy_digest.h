// A digest of everything in a config that the result of a run or a call may depend on, so that a cached result is used
// only under the same config.
#pragma once

#include <string>

#include "config/config_file.h"

namespace glovebox::assembly {

// Servers as they are used, with their variables expanded: another token is another account, and may see something
// else.
std::string policy_digest(const config::ConfigFile& config);

}  // namespace glovebox::assembly
