// A key that outlives the process: a file of its bytes that only its owner can read.
#pragma once

#include <string>

#include "glovebox/result.h"
#include "mcp/server/request_state.h"

namespace glovebox::gateway {

// Reads the key from the file; creates one there if there is none.
Result<mcp::StateKey> keep_key(const std::string& path);
// kNotFound if there is none.
Result<mcp::StateKey> kept_key(const std::string& path);

}  // namespace glovebox::gateway
