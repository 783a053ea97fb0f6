// OAuth for MCP servers: parsing documents of other parties, and which of it is accepted. Pure functions.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "glovebox/result.h"
#include "mcp/json/json_tree.h"

namespace glovebox::mcp {

struct BearerChallenge {
  std::string resource_metadata;  // a URL
  std::string scope;
  std::string error;
};
BearerChallenge parse_challenge(std::string_view www_authenticate);

struct UrlParts {
  std::string origin;  // scheme://host[:port], in lower case
  std::string path;    // with its leading slash, or empty
  bool secure = false;
  bool loopback = false;
};
// http and https only.
std::optional<UrlParts> split_url(std::string_view url);

// Tokens and secrets are sent only to such addresses: https, or http within this machine.
bool is_safe_endpoint(std::string_view url);

// Where a server's metadata may be, most specific first.
std::vector<std::string> resource_metadata_urls(std::string_view server_url);
// Where the metadata of an authorization server may be, in the order of the specification.
std::vector<std::string> issuer_metadata_urls(std::string_view issuer);

// Whether metadata that names itself `resource` may speak for this server: the same origin, and a path that is a prefix
// of the server's.
bool resource_matches(std::string_view resource, std::string_view server_url);

struct ProtectedResource {
  std::string resource;
  std::vector<std::string> authorization_servers;
  std::vector<std::string> scopes;
};
Result<ProtectedResource> read_protected_resource(std::string_view json, std::string_view server_url);

struct AuthorizationServer {
  std::string issuer;
  std::string authorization_endpoint;
  std::string token_endpoint;
  std::string registration_endpoint;
  std::vector<std::string> scopes;
  std::vector<std::string> token_auth_methods;
  bool client_metadata_documents = false;
  bool says_issuer = false;  // authorization responses carry iss
};
// For comparison: addresses are the same with and without a slash at their end.
std::string without_slash(std::string_view text);
// `issuer` is what the document's address was made from; a document that names another is not accepted. Where no issuer
// has been named (`guessed`: a server of 2025-03-26, its own origin), any of the same origin is accepted.
Result<AuthorizationServer> read_authorization_server(std::string_view json, std::string_view issuer,
                                                      bool guessed = false);
// A server of 2025-03-26 that has no metadata at all.
AuthorizationServer default_authorization_server(std::string_view server_url);

// The authorization code in the redirect's URL.
Result<std::string> read_authorization_code(std::string_view redirected_to, std::string_view state,
                                            const AuthorizationServer& server);

std::string form_encoded(const std::vector<std::pair<std::string, std::string>>& fields);
std::map<std::string, std::string> query_of(std::string_view url);

// All words of both, each once.
std::string joined_scopes(std::string_view first, std::string_view second);

}  // namespace glovebox::mcp
