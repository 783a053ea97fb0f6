// Errors as problem details (RFC 9457): application/problem+json.
#pragma once

#include <string>
#include <string_view>

#include "glovebox/result.h"
#include "mcp/http/http_server.h"
#include "mcp/json/json_tree.h"

namespace glovebox::http_api {

mcp::PlainResponse problem(int status, std::string_view detail);
int status_of(ErrorCode code);
// With the status that belongs to the failure.
mcp::PlainResponse problem_of(const Failure& failure);
// The object, or what went wrong.
mcp::PlainResponse respond_with(const Result<mcp::json::object>& out);
// The same of an object as text.
mcp::PlainResponse respond_with_text(Result<std::string> body);

}  // namespace glovebox::http_api
