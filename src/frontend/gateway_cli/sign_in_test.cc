#include "frontend/gateway_cli/sign_in.h"

#include <gtest/gtest.h>

namespace glovebox::frontend {
namespace {

TEST(SignIn, TakesTheBrowsersRequestAndNoOther) {
  EXPECT_EQ(redirected_url("GET /callback?code=a&state=b HTTP/1.1\r\nHost: x\r\n\r\n"),
            "http://127.0.0.1:33418/callback?code=a&state=b");
  EXPECT_EQ(redirected_url("GET /favicon.ico HTTP/1.1\r\n\r\n"), "");
  EXPECT_EQ(redirected_url("POST /callback?code=a HTTP/1.1\r\n\r\n"), "");
  EXPECT_EQ(redirected_url("GET /callback?code=a\r\nHost: x y\r\n\r\n"), "");
  EXPECT_EQ(redirected_url(""), "");
}

}  // namespace
}  // namespace glovebox::frontend
