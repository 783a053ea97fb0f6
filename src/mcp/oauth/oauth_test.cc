#include "mcp/oauth/oauth.h"

#include <gtest/gtest.h>

#include <atomic>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>

#include "net/scripted_server.h"

namespace glovebox::mcp {
namespace {

using net::testing::Connection;
using net::testing::ScriptedServer;

// A server and its authorization server in one, which gives a new token each time.
class OAuth : public testing::Test {
 protected:
  std::string answer_to(const std::string& head) {
    const std::string base = server_.url("");
    if (head.find("oauth-protected-resource") != head.npos)
      return R"({"resource":")" + base + R"(/mcp","authorization_servers":[")" + base + R"("]})";
    if (head.find("well-known") != head.npos) {
      return R"({"issuer":")" + base + R"(","token_endpoint":")" + base + R"(/token","authorization_endpoint":")" +
             base +
             R"(/authorize","response_types_supported":["code"],"code_challenge_methods_supported":["S256"],)"
             R"("grant_types_supported":["client_credentials"]})";
    }
    return R"({"token_type":"Bearer","access_token":"t)" + std::to_string(++tokens_) + "\"}";
  }

  void serve(Connection& connection) {
    const std::string head = connection.read_request_head();
    const std::size_t at = head.find("Content-Length: ");
    if (at != head.npos) connection.read_exactly(std::stoul(head.substr(at + 16)));
    const std::string body = answer_to(head);
    connection.send("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: " +
                    std::to_string(body.size()) + "\r\n\r\n" + body);
  }

  Result<void> authorize_after(const std::string& refused_value) {
    std::optional<Result<void>> outcome;
    authorizer_.authorize({401, "", server_.url("/mcp"), refused_value},
                          [&](Result<void> result) { outcome = std::move(result); });
    while (!outcome) loop_.run_one();
    return std::move(*outcome);
  }

  std::atomic<int> tokens_ = 0;
  ScriptedServer server_{[this](Connection& connection) { serve(connection); }};
  boost::asio::io_context loop_;
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> guard_{loop_.get_executor()};
  std::unique_ptr<net::HttpClient> http_ = net::make_http_client();
  OAuthAuthorizer authorizer_{
      loop_.get_executor(),
      *http_,
      {.client_id = "me", .client_secret = "secret", .issuer = server_.url(""), .for_itself = true}};
};

// Two requests go out without a token. The refusal of the second arrives when the first has brought one.
TEST_F(OAuth, ALateRefusalOfAnOlderTokenAsksForNoOther) {
  ASSERT_TRUE(authorize_after("").ok());
  EXPECT_EQ(authorizer_.authorization(), "Bearer t1");
  ASSERT_TRUE(authorize_after("").ok());
  EXPECT_EQ(authorizer_.authorization(), "Bearer t1");
  ASSERT_TRUE(authorize_after("Bearer t1").ok());
  EXPECT_EQ(authorizer_.authorization(), "Bearer t2");
  ASSERT_TRUE(authorize_after("Bearer t1").ok());
  EXPECT_EQ(authorizer_.authorization(), "Bearer t2");
  EXPECT_EQ(tokens_, 2);
}

}  // namespace
}  // namespace glovebox::mcp
