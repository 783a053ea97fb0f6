// Shared by the plain HTTP endpoints: paths, and failures as responses {"error": "…"}.
#pragma once

#include <string_view>

#include "glovebox/result.h"
#include "mcp/http/http_server.h"

namespace glovebox::assembly {

// Without what follows a question mark.
inline std::string_view path_of(const mcp::PlainRequest& request) {
  return std::string_view(request.target).substr(0, request.target.find('?'));
}
mcp::PlainResponse plain_error(int status, std::string_view message);
// With the status that belongs to the failure.
mcp::PlainResponse plain_failure(const Failure& failure);

}  // namespace glovebox::assembly
