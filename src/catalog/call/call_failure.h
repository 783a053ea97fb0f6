// How a failed call to a server is reported by the catalog.
#pragma once

#include <string>

#include "catalog/catalog.h"
#include "mcp/client/client.h"

namespace glovebox::catalog {

// `sent`: whether the server may have received it. `key` is the config key that gives a call more time, if any.
CallFailure call_failure(const std::string& server, const mcp::RequestFailure& failure, const std::string& key = "");

}  // namespace glovebox::catalog
