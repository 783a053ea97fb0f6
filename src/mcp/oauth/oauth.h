// OAuthAuthorizer: tokens for a server that asks for them, by OAuth 2.1 as MCP uses it.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "mcp/client/http_client_transport.h"
#include "mcp/oauth/oauth_metadata.h"
#include "net/http_client.h"

namespace glovebox::mcp {

struct OAuthOptions {
  std::string client_name = "glovebox";
  // A registration that exists already. Where `issuer` is given, a server that names another is refused.
  std::string client_id;
  std::string client_secret;
  std::string issuer;
  // An ES256 key in PEM, for a client that proves itself by signature.
  std::string private_key;
  // Where our client's description can be read, for authorization servers that take such an address as its id.
  std::string client_metadata_url;
  std::string redirect_uri = "http://127.0.0.1:33418/callback";
  // Nobody is there to ask: the client speaks for itself (client_credentials).
  bool for_itself = false;
  // Leads a person to this URL and gives back the one that the authorization server leads to. Null: nobody can.
  std::function<void(std::string url, std::function<void(Result<std::string>)>)> visit;
  // What was got before, and what to keep. It is secret.
  std::string kept;
  std::function<void(std::string)> keep;
};

class OAuthAuthorizer final : public Authorizer {
 public:
  OAuthAuthorizer(boost::asio::any_io_executor executor, net::HttpClient& client, OAuthOptions options);
  ~OAuthAuthorizer() override;

  std::string authorization() const override;
  void authorize(Challenge challenge, std::function<void(Result<void>)> done) override;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

// A JWT by which a client proves who it is (RFC 7523), signed with ES256.
Result<std::string> client_assertion(std::string_view client_id, std::string_view audience,
                                     std::string_view private_key);

}  // namespace glovebox::mcp
