// HttpServer: MCP over Streamable HTTP, both eras, at one path.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "glovebox/result.h"
#include "mcp/http/caller.h"
#include "mcp/http/http_reply.h"
#include "mcp/http/http_rules.h"
#include "mcp/limits.h"
#include "mcp/server/server_core.h"

namespace glovebox::mcp {

// Clients that show this token may use MCP.
struct BearerToken {
  std::string token;
};

// Any process that can reach the port may use MCP and see the status; refused for addresses other than loopback.
struct OpenOnLoopback {};

struct HttpServerOptions {
  std::string address = "127.0.0.1";
  std::uint16_t port = 0;  // 0: any free one
  std::string path = "/mcp";
  std::variant<BearerToken, OpenOnLoopback> access;
  // Asked about every other token with each request, and while one is served: who holds it, if it is valid now.
  std::function<std::optional<Caller>(std::string_view token)> find_caller;
  // May be absent. Called before a token is checked; the request continues with `then`.
  std::function<void(std::string_view token, std::function<void()> then)> prepare;
  // Whether a request is served to any caller, with no rights. May be absent. Such a request is small.
  std::function<bool(std::string_view method, std::string_view target)> is_public;
  // Where tokens can be had (RFC 9728), shown to any caller, and the address of that document; empty: none.
  std::string resource_metadata;
  std::string resource_metadata_url;
  AllowedNames names;
  // A header field, in lower case, that distinguishes clients that share one token: it is a part of their principal.
  // Empty: there is none.
  std::string client_field;
  // A client was turned away, or an idle session was evicted for a new one; may be absent.
  enum class Crowded { kSessions, kConnections, kSessionEvicted };
  std::function<void(Crowded what)> on_crowded;
  // Of answers that are being written to the connections of one token; those of all have twice as much.
  std::size_t max_answer_bytes = kMaxAnswerBytesOfOneToken;
  // PEM files; both or none.
  std::string certificate_file;
  std::string key_file;
};

// A request for another path than that of MCP, after the same checks. Its handler decides whether the caller may make
// it.
struct PlainRequest {
  Caller caller;
  std::string method;
  std::string target;
  std::string body;
  std::string last_event_id{};  // of a client that resumes a stream
};
struct PlainResponse {
  int status = 404;
  std::string body;
  std::string content_type = "application/json";
  std::string head{};  // more header lines, each with its end
};

class HttpServer {
 public:
  static Result<std::unique_ptr<HttpServer>> start(ServerCore& core, boost::asio::any_io_executor executor,
                                                   HttpServerOptions options);
  ~HttpServer();

  std::uint16_t port() const;
  void set_other_paths(std::function<PlainResponse(const PlainRequest&)> handler);
  // Asked first: whether it answers the request itself, with a stream of events. `on_hang_up` is called when the client
  // disconnects.
  using StreamHandler = std::function<bool(const PlainRequest&, const std::shared_ptr<HttpReply>& reply,
                                           std::function<void()>& on_hang_up)>;
  void set_streams(StreamHandler handler);
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
