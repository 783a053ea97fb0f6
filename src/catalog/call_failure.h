// How a call of a server fails, in the words of the catalog.
#pragma once

#include <string>

#include "catalog/catalog.h"
#include "mcp/client.h"

namespace glovebox::catalog {

// `sent` says whether the server may have seen it.
CallFailure call_failure(const std::string& server, const mcp::CallFailure& failure);

}  // namespace glovebox::catalog
