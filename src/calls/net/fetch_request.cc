#include "calls/net/fetch_request.h"

#include "calls/net/byte_string.h"

namespace glovebox::calls {
namespace {

std::optional<net::RedirectMode> redirect_mode(const std::string& word) {
  if (word == "follow") return net::RedirectMode::kFollow;
  if (word == "error") return net::RedirectMode::kError;
  if (word == "manual") return net::RedirectMode::kManual;
  return std::nullopt;
}

std::optional<FetchRequest::Body> body_kind(const std::string& word) {
  if (word == "none") return FetchRequest::Body::kNone;
  if (word == "bytes") return FetchRequest::Body::kBytes;
  if (word == "stream") return FetchRequest::Body::kStream;
  return std::nullopt;
}

}  // namespace

std::optional<FetchRequest> FetchRequest::parse(const Call& call) {
  const CallArguments& arguments = call.arguments;
  auto method = arguments.text("method");
  auto url = arguments.text("url");
  auto headers = arguments.text_pairs("headers");
  const auto redirect = redirect_mode(arguments.text("redirect").value_or(""));
  const auto body = body_kind(arguments.text("body").value_or(""));
  if (!method || !url || !headers || !redirect || !body) return std::nullopt;
  if (call.body_bytes > 0 && *body != Body::kBytes) return std::nullopt;
  FetchRequest request;
  request.http.method = std::move(*method);
  request.http.url = std::move(*url);
  request.http.redirect = *redirect;
  request.body = *body;
  for (auto& [name, value] : *headers) {
    auto bytes = bytes_of_text(value);
    if (!bytes) return std::nullopt;
    request.http.headers.push_back({std::move(name), std::move(*bytes)});
  }
  return request;
}

}  // namespace glovebox::calls
