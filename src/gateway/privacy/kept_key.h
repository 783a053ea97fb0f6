// A key that outlives the process: a file of its bytes that only its owner reads.
#pragma once

#include <string>

#include "glovebox/result.h"
#include "mcp/server/request_state.h"

namespace glovebox::gateway {

// The key in the file; a new one, written there, where there is none.
Result<mcp::StateKey> keep_key(const std::string& path);
// kNotFound where there is none.
Result<mcp::StateKey> kept_key(const std::string& path);

}  // namespace glovebox::gateway
