// How a call of a server fails, in the words of the catalog.
#pragma once

#include <string>

#include "catalog/catalog.h"
#include "mcp/client/client.h"

namespace glovebox::catalog {

// `sent` says whether the server may have seen it. `key` is that of the config by which a call has more time, if any.
CallFailure call_failure(const std::string& server, const mcp::RequestFailure& failure, const std::string& key = "");

}  // namespace glovebox::catalog
