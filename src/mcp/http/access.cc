#include "mcp/http/access.h"

#include <boost/beast/core/string.hpp>

#include "base/hmac.h"

namespace glovebox::mcp {
namespace {

namespace http = boost::beast::http;

// A length of at most three digits.
constexpr std::size_t kPublicLengthDigits = 3;

// Only encodings that the parser decodes. Anything else would be a body of unknown length.
bool encoding_is_known(const HttpRequest& request) {
  const std::size_t count = request.count(http::field::transfer_encoding);
  return count == 0 || (count == 1 && boost::beast::iequals(request[http::field::transfer_encoding], "chunked"));
}

bool is_for_metadata(const HttpRequest& request, const HttpServerOptions& options) {
  constexpr std::string_view kPath = "/.well-known/oauth-protected-resource";
  const std::string_view target = view(request.target());
  return !options.resource_metadata.empty() && request.method() == http::verb::get &&
         (target == kPath || target == std::string(kPath) + options.path);
}

}  // namespace

std::optional<std::string> field(const HttpRequest& request, std::string_view name) {
  const auto found = request.find(boost::beast::string_view(name.data(), name.size()));
  if (found == request.end()) return std::nullopt;
  return std::string(view(found->value()));
}

std::string rpc_error_body(std::string_view id, int code, std::string message) {
  return error_text(id, {code, std::move(message), {}});
}

bool accepts_events(const HttpRequest& request) {
  const auto accept = field(request, "accept");
  return !accept || accept->find("text/event-stream") != accept->npos || accept->find("*/*") != accept->npos;
}

bool is_json(const HttpRequest& request) {
  const std::string type = field(request, "content-type").value_or("");
  return type.substr(0, type.find(';')) == "application/json";
}

std::string bearer_in(const HttpRequest& request) {
  constexpr std::string_view kScheme = "Bearer ";
  const std::string said = field(request, "authorization").value_or("");
  return said.starts_with(kScheme) ? said.substr(kScheme.size()) : std::string();
}

std::optional<Caller> caller_with(std::string_view token, const HttpServerOptions& options) {
  const auto* bearer = std::get_if<BearerToken>(&options.access);
  if (bearer && base::equal_secrets(token, bearer->token)) return Caller{.speaks_mcp = true};
  if (auto known = options.find_caller && !token.empty() ? options.find_caller(token) : std::nullopt) return known;
  if (!bearer) return Caller{.speaks_mcp = true, .watches = true};
  return std::nullopt;
}

std::string challenge(const HttpServerOptions& options) {
  const std::string where =
      options.resource_metadata.empty() ? "" : " resource_metadata=\"" + options.resource_metadata_url + "\"";
  return "WWW-Authenticate: Bearer" + where + "\r\n";
}

std::variant<Caller, PlainResponse> admit(const HttpRequest& request, const HttpServerOptions& options,
                                          const OwnOrigin& own) {
  const auto host = field(request, "host");
  if (request.count(http::field::host) != 1 || !host || !host_allowed(*host, options.names))
    return PlainResponse{403, rpc_error_body({}, kInvalidRequest, "this Host is not allowed")};
  const auto origin = field(request, "origin");
  if (origin && !origin_allowed(*origin, options.names, own))
    return PlainResponse{403, rpc_error_body({}, kInvalidRequest, "this Origin is not allowed")};
  const std::string_view target = view(request.target());
  if (is_for_metadata(request, options)) return PlainResponse{200, options.resource_metadata};
  const std::string method(view(request.method_string()));
  if (options.is_public && options.is_public(method, target)) {
    const bool is_small = request.count(http::field::transfer_encoding) == 0 &&
                          field(request, "content-length").value_or("0").size() <= kPublicLengthDigits;
    if (!is_small) return PlainResponse{413, rpc_error_body({}, kInvalidRequest, "the message is too large")};
    return Caller{.principal = "", .is_public = true};
  }
  auto caller = caller_with(bearer_in(request), options);
  if (!caller) return PlainResponse{401, rpc_error_body({}, kInvalidRequest, "a bearer token is required")};
  if (target.substr(0, target.find('?')) == options.path && !caller->speaks_mcp)
    return PlainResponse{403, rpc_error_body({}, kInvalidRequest, "this token may not speak MCP")};
  if (!encoding_is_known(request))
    return PlainResponse{501, rpc_error_body({}, kInvalidRequest, "the only Transfer-Encoding here is chunked")};
  caller->principal = with_client_name(std::move(caller->principal), options.client_field,
                                       [&](std::string_view name) { return field(request, name); });
  return std::move(*caller);
}

}  // namespace glovebox::mcp
