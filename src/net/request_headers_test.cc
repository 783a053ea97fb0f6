#include "net/request_headers.h"

#include <gtest/gtest.h>

#include <string>

#include "net/limits.h"

namespace glovebox::net {
namespace {

TEST(RequestHeaders, RefuseInjection) {
  using namespace std::string_literals;
  for (const Header& bad :
       {Header{"X", "a\r\nHost: evil"}, Header{"X", "a\nb"}, Header{"X", "a\rb"}, Header{"X", "a\0b"s},
        Header{"X", "\x7f"}, Header{"X\r\nHost", "evil"}, Header{"X:", "a"}, Header{"", "a"}, Header{"X Y", "a"},
        Header{" X", "a"}, Header{"X\0"s, "a"}, Header{"X;", "a"}, Header{"\xc3\xbc", "a"}}) {
    EXPECT_FALSE(checked_request_headers({bad}).ok()) << bad.name << ": " << bad.value;
  }
  EXPECT_TRUE(checked_request_headers({{"X-Key", "a\tb \xff"}, {"X-Empty", ""}}).ok());
}

TEST(RequestHeaders, LeaveTheConnectionToTheClient) {
  const Headers sent = checked_request_headers({{"Host", "evil.com"},
                                                {"content-LENGTH", "5"},
                                                {"Transfer-Encoding", "chunked"},
                                                {"Connection", "X-Key"},
                                                {"Keep-Alive", "1"},
                                                {"Upgrade", "websocket"},
                                                {"HTTP2-Settings", "x"},
                                                {"Proxy-Authorization", "x"},
                                                {"proxy-anything", "x"},
                                                {"TE", "trailers"},
                                                {"Trailer", "X"},
                                                {"Expect", "100-continue"},
                                                {"Via", "x"},
                                                {"Authorization", "Bearer x"},
                                                {"Cookie", "a=b"},
                                                {"Accept", "text/html"}})
                           .value();
  EXPECT_EQ(sent, (Headers{{"Authorization", "Bearer x"}, {"Cookie", "a=b"}, {"Accept", "text/html"}}));
}

TEST(RequestHeaders, AreBounded) {
  EXPECT_TRUE(checked_request_headers(Headers(kMaxRequestHeaders, {"X", "y"})).ok());
  EXPECT_FALSE(checked_request_headers(Headers(kMaxRequestHeaders + 1, {"X", "y"})).ok());
  EXPECT_FALSE(checked_request_headers({{"X", std::string(kMaxRequestHeaderBytes, 'y')}}).ok());
}

TEST(RequestHeaders, SecretsOfAnyNameStayWithTheirOrigin) {
  Headers headers{{"Authorization", "x"},
                  {"Cookie", "x"},
                  {"X-Api-Key", "x"},
                  {"Referer", "x"},
                  {"Accept", "a"},
                  {"content-type", "b"},
                  {"X-Amz-Security-Token", "x"},
                  {"Private-Token", "x"}};
  keep_harmless_headers(headers);
  EXPECT_EQ(headers, (Headers{{"Accept", "a"}, {"content-type", "b"}}));
}

TEST(Method, IsNormalisedAsFetchDoes) {
  EXPECT_EQ(checked_method("get").value(), "GET");
  EXPECT_EQ(checked_method("Post").value(), "POST");
  EXPECT_EQ(checked_method("patch").value(), "patch");
  EXPECT_EQ(checked_method("PROPFIND").value(), "PROPFIND");
  for (const char* bad : {"", "CONNECT", "connect", "TRACE", "TRACK", "GET /evil HTTP/1.1\r\n", "A B", "A\nB"}) {
    EXPECT_FALSE(checked_method(bad).ok()) << bad;
  }
}

}  // namespace
}  // namespace glovebox::net
