// HttpClientTransport: a server that is reached over Streamable HTTP, of either era.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "glovebox/result.h"
#include "mcp/client/client_transport.h"
#include "mcp/limits.h"
#include "net/http_client.h"

namespace glovebox::mcp {

class OAuthAuthorizer;

struct HttpServerAddress {
  std::string url;
  net::Headers headers;  // go with every request; may hold secrets
  // What may be reached; empty: the host and port of the URL and nothing else.
  std::vector<std::string> grants;
  std::size_t max_message_bytes = kMaxResponseBytes;
  std::shared_ptr<OAuthAuthorizer> authorizer;  // of a server that asks for tokens; may be null
};

class HttpClientTransport final : public ClientTransport {
 public:
  // The client must outlive the transport, and the executor's loop must outlive the client: cancelled fetches still
  // report.
  static Result<std::unique_ptr<HttpClientTransport>> open(boost::asio::any_io_executor executor,
                                                           net::HttpClient& client, HttpServerAddress address);
  ~HttpClientTransport() override;

  void start(Events events) override;
  void send(OutgoingMessage message) override;
  bool forget(const std::string& id) override;
  void established(std::function<void()> next) override;
  bool mirrors() const override { return true; }
  void close() override;

 private:
  struct State;
  explicit HttpClientTransport(std::shared_ptr<State> state);
  std::shared_ptr<State> state_;
};

// HOST:PORT of an http or https URL, as a grant.
Result<std::string> grant_for(std::string_view url);

}  // namespace glovebox::mcp
