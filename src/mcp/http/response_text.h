// The bytes of HTTP responses, as HttpServer writes them.
#pragma once

#include <string>
#include <string_view>

#include "mcp/http/http_reply.h"

namespace glovebox::mcp {

// `extra` are header lines, each with its end.
std::string head_text(const HttpReply& reply, std::size_t body_bytes, bool keep, std::string_view extra);
// A whole response to a request that is not served; the connection closes.
std::string rejection(int status, const std::string& body);
std::string chunk(std::string_view text);

}  // namespace glovebox::mcp
