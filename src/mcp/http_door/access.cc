#include "mcp/http_door/access.h"

#include <algorithm>
#include <boost/beast/core/string.hpp>

namespace glovebox::mcp {
namespace {

namespace http = boost::beast::http;

bool may_watch(const HttpRequest& request, std::string_view token, const HttpServerOptions& options) {
  if (!options.watchers || request.method() != http::verb::get) return false;
  const std::string_view target = view(request.target());
  const std::string_view path = target.substr(0, target.find('?'));
  const auto& paths = options.watchers->paths;
  return std::find(paths.begin(), paths.end(), path) != paths.end() && equal_secrets(token, options.watchers->token);
}

// Only what the parser takes apart. Anything else would be a body of unknown length.
bool encoding_is_known(const HttpRequest& request) {
  const std::size_t count = request.count(http::field::transfer_encoding);
  return count == 0 || (count == 1 && boost::beast::iequals(request[http::field::transfer_encoding], "chunked"));
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

bool is_json(const HttpRequest& request) {
  const std::string type = field(request, "content-type").value_or("");
  return type.substr(0, type.find(';')) == "application/json";
}

std::optional<PlainResponse> refusal_of(const HttpRequest& request, const HttpServerOptions& options,
                                        const OwnOrigin& own) {
  const auto host = field(request, "host");
  if (request.count(http::field::host) != 1 || !host || !host_allowed(*host, options.names))
    return PlainResponse{403, rpc_error_body({}, kInvalidRequest, "this Host is not allowed")};
  const auto origin = field(request, "origin");
  if (origin && !origin_allowed(*origin, options.names, own))
    return PlainResponse{403, rpc_error_body({}, kInvalidRequest, "this Origin is not allowed")};
  if (const auto* bearer = std::get_if<BearerToken>(&options.access)) {
    const auto said = field(request, "authorization");
    constexpr std::string_view kScheme = "Bearer ";
    const bool is_bearer = said && std::string_view(*said).substr(0, kScheme.size()) == kScheme;
    const std::string_view token = is_bearer ? std::string_view(*said).substr(kScheme.size()) : std::string_view();
    if (!is_bearer || (!equal_secrets(token, bearer->token) && !may_watch(request, token, options)))
      return PlainResponse{401, rpc_error_body({}, kInvalidRequest, "a bearer token is needed")};
  }
  if (!encoding_is_known(request))
    return PlainResponse{501, rpc_error_body({}, kInvalidRequest, "the only Transfer-Encoding here is chunked")};
  return std::nullopt;
}

}  // namespace glovebox::mcp
