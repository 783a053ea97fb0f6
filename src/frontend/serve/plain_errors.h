// Failures as responses of the plain HTTP endpoints: {"error": "…"}.
#pragma once

#include <string_view>

#include "glovebox/result.h"
#include "mcp/http_server.h"

namespace glovebox::frontend {

mcp::PlainResponse plain_error(int status, std::string_view message);
// With the status that belongs to the failure.
mcp::PlainResponse plain_failure(const Failure& failure);

}  // namespace glovebox::frontend
