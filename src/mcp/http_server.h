// HttpServer: MCP over Streamable HTTP, both eras, at one path.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <variant>

#include "glovebox/result.h"
#include "mcp/http_rules.h"
#include "mcp/server_core.h"

namespace glovebox::mcp {

// Clients show this word. Whoever has it is the owner.
struct BearerToken {
  std::string token;
};

// Anyone who can reach the port may speak; refused for addresses other than loopback.
struct OpenOnLoopback {};

struct HttpServerOptions {
  std::string address = "127.0.0.1";
  std::uint16_t port = 0;  // 0: any free one
  std::string path = "/mcp";
  std::variant<BearerToken, OpenOnLoopback> access;
  AllowedNames names;
  // PEM files; both or none.
  std::string certificate_file;
  std::string key_file;
};

// A request for another path than that of MCP, after the same checks.
struct PlainRequest {
  std::string method;
  std::string target;
  std::string body;
};
struct PlainResponse {
  int status = 404;
  std::string body;
  std::string content_type = "application/json";
};

class HttpServer {
 public:
  static Result<std::unique_ptr<HttpServer>> start(ServerCore& core, boost::asio::any_io_executor executor,
                                                   HttpServerOptions options);
  ~HttpServer();

  std::uint16_t port() const;
  void set_other_paths(std::function<PlainResponse(const PlainRequest&)> handler);
  std::size_t session_count() const;
  std::size_t connection_count() const;

 private:
  class State;
  explicit HttpServer(std::shared_ptr<State> state);
  std::shared_ptr<State> state_;
};

// 256 random bits as text.
std::string random_token();

}  // namespace glovebox::mcp
