#include "cli/session/sign_in.h"

#include <gtest/gtest.h>

namespace glovebox::cli {
namespace {

constexpr const char* kRest = " HTTP/1.1\r\nUser-Agent: x\r\nHost: 127.0.0.1:33418\r\n\r\n";

std::string asked(const std::string& target, const std::string& rest = kRest) {
  return redirected_url("GET " + target + rest, "secret");
}

TEST(SignIn, TakesTheBrowsersRequestAndNoOther) {
  EXPECT_EQ(asked("/callback?code=a&state=secret"), "http://127.0.0.1:33418/callback?code=a&state=secret");
  EXPECT_EQ(asked("/favicon.ico?state=secret"), "");
  EXPECT_EQ(redirected_url(std::string("POST /callback?code=a&state=secret") + kRest, "secret"), "");
  EXPECT_EQ(redirected_url("GET /callback?code=a&state=secret\r\nHost: 127.0.0.1:33418 y\r\n\r\n", "secret"), "");
  EXPECT_EQ(redirected_url("", "secret"), "");
}

// Any page can send a browser here; only the one that we sent the person to knows the state.
TEST(SignIn, IgnoresWhoeverDoesNotKnowTheState) {
  for (const char* target :
       {"/callback?code=a", "/callback?code=a&state=", "/callback?code=a&state=other", "/callback?code=a&xstate=secret",
        "/callback?code=a&state=secretX", "/callback?state=other&state=secret"}) {
    EXPECT_EQ(asked(target), "") << target;
  }
  EXPECT_EQ(redirected_url(std::string("GET /callback?state=") + kRest, ""), "");
}

TEST(SignIn, IgnoresOtherHosts) {
  const std::string target = "/callback?code=a&state=secret";
  EXPECT_EQ(asked(target, " HTTP/1.1\r\nHost: evil.com\r\n\r\n"), "");
  EXPECT_EQ(asked(target, " HTTP/1.1\r\nHost: 127.0.0.1:33418.evil.com\r\n\r\n"), "");
  EXPECT_EQ(asked(target, " HTTP/1.1\r\n\r\n"), "");
  EXPECT_EQ(asked(target, " HTTP/1.1\r\nHost: 127.0.0.1:33418\r\nHost: evil.com\r\n\r\n"), "");
}

TEST(SignIn, ReadsTheStateOfAnAddress) {
  EXPECT_EQ(state_in("https://as.example/authorize?client_id=c&state=s1&scope=x"), "s1");
  EXPECT_EQ(state_in("https://as.example/authorize?state=s2#fragment"), "s2");
  EXPECT_EQ(state_in("https://as.example/authorize"), "");
}

}  // namespace
}  // namespace glovebox::cli
