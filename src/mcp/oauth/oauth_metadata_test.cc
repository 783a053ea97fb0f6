#include "mcp/oauth/oauth_metadata.h"

#include <gtest/gtest.h>

namespace glovebox::mcp {
namespace {

TEST(Challenge, IsReadFromTheField) {
  const auto challenge = parse_challenge(
      R"(Bearer error="insufficient_scope", scope="a b", resource_metadata="https://s/x?y=\"z\"", realm=r)");
  EXPECT_EQ(challenge.error, "insufficient_scope");
  EXPECT_EQ(challenge.scope, "a b");
  EXPECT_EQ(challenge.resource_metadata, "https://s/x?y=\"z\"");
  EXPECT_EQ(parse_challenge("Basic realm=x").scope, "");
  EXPECT_EQ(parse_challenge("Bearer scope=\"unfinished").scope, "unfinished");
  EXPECT_EQ(parse_challenge("Bearer =,=,\"").scope, "");
}

TEST(Metadata, IsLookedForWhereTheSpecificationSays) {
  EXPECT_EQ(resource_metadata_urls("https://s.x/mcp/"),
            (std::vector<std::string>{"https://s.x/.well-known/oauth-protected-resource/mcp",
                                      "https://s.x/.well-known/oauth-protected-resource"}));
  EXPECT_EQ(issuer_metadata_urls("https://a.x/t"),
            (std::vector<std::string>{"https://a.x/.well-known/oauth-authorization-server/t",
                                      "https://a.x/.well-known/openid-configuration/t",
                                      "https://a.x/t/.well-known/openid-configuration"}));
  EXPECT_EQ(issuer_metadata_urls("https://a.x").size(), 2u);
  EXPECT_TRUE(issuer_metadata_urls("file:///etc/passwd").empty());
}

// Addresses come from servers, in headers and documents.
TEST(Metadata, AnAddressWithoutAHostIsNone) {
  for (const char* text : {"", "http", "https", "HTTPS", "https:", "https:/", "https://", "://", "https://?"}) {
    EXPECT_FALSE(split_url(text)) << text;
    EXPECT_FALSE(is_safe_endpoint(text)) << text;
    EXPECT_TRUE(issuer_metadata_urls(text).empty()) << text;
    EXPECT_FALSE(resource_matches(text, "https://s.x/mcp")) << text;
  }
  const char* document = R"({"resource":"https","authorization_servers":["https"]})";
  EXPECT_FALSE(read_protected_resource(document, "https://s.x/mcp").ok());
}

TEST(Metadata, SpeaksOnlyForItsOwnServer) {
  EXPECT_TRUE(resource_matches("https://s.x/mcp", "https://s.x/mcp"));
  EXPECT_TRUE(resource_matches("https://s.x", "https://s.x/mcp"));
  EXPECT_TRUE(resource_matches("https://S.X/", "https://s.x/mcp"));
  EXPECT_FALSE(resource_matches("https://s.x/mc", "https://s.x/mcp"));
  EXPECT_FALSE(resource_matches("https://s.x/mcp/a", "https://s.x/mcp"));
  EXPECT_FALSE(resource_matches("http://s.x/mcp", "https://s.x/mcp"));
  EXPECT_FALSE(resource_matches("https://s.x.evil/mcp", "https://s.x/mcp"));
  EXPECT_FALSE(resource_matches("https://s.x@evil/mcp", "https://s.x/mcp"));
}

TEST(Metadata, MustNameTheIssuerThatWasAsked) {
  const auto document = [](const char* issuer, const char* more) {
    return std::string(R"({"issuer":")") + issuer +
           R"(","authorization_endpoint":"https://a.x/authorize","token_endpoint":"https://a.x/token")" + more + "}";
  };
  const char* pkce = R"(,"code_challenge_methods_supported":["S256"])";
  EXPECT_TRUE(read_authorization_server(document("https://a.x", pkce), "https://a.x").ok());
  EXPECT_FALSE(read_authorization_server(document("https://evil.x", pkce), "https://a.x").ok());
  EXPECT_FALSE(read_authorization_server(document("https://a.x", ""), "https://a.x").ok()) << "without PKCE";
  EXPECT_FALSE(read_authorization_server(document("https://a.x", R"(,"code_challenge_methods_supported":["plain"])"),
                                         "https://a.x")
                   .ok());
  EXPECT_TRUE(read_authorization_server(document("https://a.x/oauth", pkce), "https://a.x", true).ok());
  EXPECT_FALSE(read_authorization_server(document("https://b.x/oauth", pkce), "https://a.x", true).ok());
}

TEST(Endpoints, AreSafeOrNotUsed) {
  EXPECT_TRUE(is_safe_endpoint("https://a.x/token"));
  EXPECT_TRUE(is_safe_endpoint("http://127.0.0.1:1/token"));
  EXPECT_TRUE(is_safe_endpoint("http://[::1]:1/token"));
  EXPECT_FALSE(is_safe_endpoint("http://a.x/token"));
  EXPECT_FALSE(is_safe_endpoint("http://127.0.0.1.evil.x/token"));
  EXPECT_FALSE(is_safe_endpoint("javascript:alert(1)"));
  EXPECT_FALSE(is_safe_endpoint(""));
}

TEST(AuthorizationCode, IsTakenOnlyFromTheRightAnswer) {
  AuthorizationServer server;
  server.issuer = "https://a.x";
  EXPECT_EQ(read_authorization_code("http://l/cb?code=c%2B1&state=s&iss=https%3A%2F%2Fa.x", "s", server).value(),
            "c+1");
  EXPECT_TRUE(read_authorization_code("http://l/cb?code=c&state=s", "s", server).ok());
  EXPECT_FALSE(read_authorization_code("http://l/cb?code=c&state=t", "s", server).ok());
  EXPECT_FALSE(read_authorization_code("http://l/cb?code=c", "s", server).ok());
  EXPECT_FALSE(read_authorization_code("http://l/cb?code=c&state=s&iss=https%3A%2F%2Fa.x%2F", "s", server).ok());
  EXPECT_FALSE(read_authorization_code("http://l/cb?error=access_denied&state=s", "s", server).ok());
  EXPECT_FALSE(read_authorization_code("http://l/cb?state=s", "s", server).ok());
  server.says_issuer = true;
  EXPECT_FALSE(read_authorization_code("http://l/cb?code=c&state=s", "s", server).ok());
}

TEST(Scopes, AreJoinedOnce) {
  EXPECT_EQ(joined_scopes("a b", "b  c"), "a b c");
}

}  // namespace
}  // namespace glovebox::mcp
