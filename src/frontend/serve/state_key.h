// The key that seals what clients carry between two rounds of a call. Kept, so that a client can come back with its
// person's answer after a restart of the gateway.
#pragma once

#include <string>

#include "mcp/request_state.h"

namespace glovebox::frontend {

// Made on first use; readable for its owner alone.
Result<mcp::StateKey> keep_state_key(const std::string& state_folder);

}  // namespace glovebox::frontend
