// A request and the head of its response, as values.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace glovebox::net {

struct Header {
  std::string name;
  std::string value;  // bytes; no encoding is implied

  bool operator==(const Header&) const = default;
};
using Headers = std::vector<Header>;

enum class RedirectMode { kFollow, kError, kManual };

struct NoBody {};
// Sent through Exchange::write, and cannot be sent twice.
struct StreamedBody {
  std::optional<std::uint64_t>
      size;  // where known, it is sent as Content-Length and must be met exactly; otherwise in chunks
};
using RequestBody = std::variant<NoBody, std::string, StreamedBody>;

struct HttpRequest {
  std::string method = "GET";
  std::string url;
  Headers headers;
  RedirectMode redirect = RedirectMode::kFollow;
  RequestBody body;
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();  // of all of it
};

struct ResponseHead {
  int status = 0;
  std::string status_text;
  std::string url;  // of the last hop, without a fragment
  bool redirected = false;
  Headers headers;  // as received; without Content-Encoding and Content-Length when the body is decompressed here
};

}  // namespace glovebox::net
