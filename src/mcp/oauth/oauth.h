// OAuthAuthorizer: tokens for a server that asks for them, by OAuth 2.1 as MCP uses it.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "glovebox/result.h"
#include "mcp/oauth/oauth_metadata.h"
#include "net/http_client.h"

namespace glovebox::mcp {

struct OAuthOptions {
  std::string client_name = "glovebox";
  // An existing registration. Where `issuer` is given, a server that names another is refused.
  std::string client_id;
  std::string client_secret;
  std::string issuer;
  // An ES256 key in PEM, for a client that authenticates by signature.
  std::string private_key;
  // The URL of our client's metadata, for authorization servers that accept such a URL as client id.
  std::string client_metadata_url;
  std::string redirect_uri = "http://127.0.0.1:33418/callback";
  // There is no person to ask: the client acts for itself (client_credentials).
  bool for_itself = false;
  // Sends a person to this URL and returns the one that the authorization server redirects to. Null: there is no
  // person.
  std::function<void(std::string url, std::function<void(Result<std::string>)>)> visit;
  // What an earlier authorization obtained, and what to keep. It is secret.
  std::string kept;
  std::function<void(std::string)> keep;
};

class OAuthAuthorizer {
 public:
  struct Challenge {
    int status = 401;
    std::string www_authenticate;
    std::string url;              // of the server
    std::string refused_value{};  // of the Authorization field that was sent
  };
  OAuthAuthorizer(boost::asio::any_io_executor executor, net::HttpClient& client, OAuthOptions options);
  ~OAuthAuthorizer();
  OAuthAuthorizer(const OAuthAuthorizer&) = delete;
  OAuthAuthorizer& operator=(const OAuthAuthorizer&) = delete;

  // The current value of the Authorization field; empty: none yet.
  std::string authorization() const;
  // The server has refused what authorization() returned. Afterwards there is a new value, or a reason why not. Where
  // there is a newer value than the refused one already, that is to be tried first, so that a person does not sign in
  // twice.
  void authorize(Challenge challenge, std::function<void(Result<void>)> done);

 private:
  struct State;
  std::shared_ptr<State> state_;
};

// A JWT by which a client authenticates (RFC 7523), signed with ES256.
Result<std::string> client_assertion(std::string_view client_id, std::string_view audience,
                                     std::string_view private_key);

}  // namespace glovebox::mcp
