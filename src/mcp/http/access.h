// Who may use an HttpServer, by the head of a request.
#pragma once

#include <boost/beast/http/message.hpp>
#include <boost/beast/http/string_body.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "mcp/http/http_server.h"

namespace glovebox::mcp {

using HttpRequest = boost::beast::http::request<boost::beast::http::string_body>;

inline std::string_view view(boost::beast::string_view text) {
  return {text.data(), text.size()};
}
std::optional<std::string> field(const HttpRequest& request, std::string_view name);
std::string rpc_error_body(std::string_view id, int code, std::string message);
bool accepts_events(const HttpRequest& request);
bool is_json(const HttpRequest& request);

// The bearer token of an Authorization field; empty: none.
std::string bearer_in(const HttpRequest& request);
// Whose token it is, as of now.
std::optional<Caller> caller_with(std::string_view token, const HttpServerOptions& options);

// A header field for callers without a valid token.
std::string challenge(const HttpServerOptions& options);

// The caller, or the response that refuses the request.
std::variant<Caller, PlainResponse> admit(const HttpRequest& request, const HttpServerOptions& options,
                                          const OwnOrigin& own);

}  // namespace glovebox::mcp
