#include "net/redirect.h"

#include <gtest/gtest.h>

namespace glovebox::net {
namespace {

Hop hop(const char* method, const char* url, bool with_body) {
  return {method,
          RequestUrl::parse(url).value(),
          {{"Authorization", "secret"}, {"Content-Type", "text/plain"}, {"Accept", "x"}},
          with_body};
}

TEST(Redirect, RewritesMethodsAsFetchDoes) {
  const struct {
    int status;
    const char* method;
    const char* next_method;
    bool keeps_body;
  } rows[] = {
      {301, "GET", "GET", true},   {301, "POST", "GET", false}, {301, "PUT", "PUT", true},
      {301, "HEAD", "HEAD", true}, {302, "POST", "GET", false}, {302, "DELETE", "DELETE", true},
      {303, "POST", "GET", false}, {303, "PUT", "GET", false},  {303, "HEAD", "HEAD", true},
      {303, "GET", "GET", true},   {307, "POST", "POST", true}, {308, "POST", "POST", true},
  };
  for (const auto& row : rows) {
    const auto next = next_hop(hop(row.method, "http://a.com/", true), row.status, {{"Location", "/x"}}, true);
    ASSERT_TRUE(next.ok());
    EXPECT_EQ(next.value().method, row.next_method) << row.status << row.method;
    EXPECT_EQ(next.value().with_body, row.keeps_body) << row.status << row.method;
    EXPECT_EQ(next.value().headers.size(), row.keeps_body ? 3u : 2u) << "a dropped body takes its headers along";
  }
}

TEST(Redirect, LeavesSecretsBehind) {
  const Hop from = hop("GET", "https://a.com/", false);
  EXPECT_EQ(next_hop(from, 302, {{"location", "/x"}}, true).value().headers.size(), 3u);
  for (const char* elsewhere : {"https://b.com/", "http://a.com/", "https://a.com:444/", "https://sub.a.com/"}) {
    const auto next = next_hop(from, 302, {{"location", elsewhere}}, true);
    EXPECT_EQ(next.value().headers, (Headers{{"Content-Type", "text/plain"}, {"Accept", "x"}})) << elsewhere;
  }
}

TEST(Redirect, CannotSendAStreamTwice) {
  EXPECT_FALSE(next_hop(hop("POST", "http://a.com/", true), 307, {{"Location", "/x"}}, false).ok());
  EXPECT_TRUE(next_hop(hop("POST", "http://a.com/", true), 303, {{"Location", "/x"}}, false).ok());
  EXPECT_TRUE(next_hop(hop("POST", "http://a.com/", false), 307, {{"Location", "/x"}}, true).ok());
}

TEST(Redirect, GoesNowhereButHttp) {
  const Hop from = hop("GET", "https://a.com/", false);
  for (const char* bad :
       {"file:///etc/passwd", "data:,x", "ftp://a.com/", "http://u@b.com/", "http://b.com:0/", "//b\\c"}) {
    const auto next = next_hop(from, 302, {{"Location", bad}}, true);
    ASSERT_FALSE(next.ok()) << bad;
    EXPECT_EQ(next.failure().kind, FetchError::Kind::kNetwork);
    EXPECT_TRUE(next.failure().message.starts_with("error sending request for url (https://a.com/): ")) << bad;
  }
  EXPECT_FALSE(next_hop(from, 302, {{"Location", "/a"}, {"location", "/b"}}, true).ok());
  EXPECT_TRUE(next_hop(from, 302, {{"Location", "/a"}, {"location", "/a"}}, true).ok());
}

TEST(Redirect, IsAStatusWithALocation) {
  for (const int status : {301, 302, 303, 307, 308}) {
    EXPECT_TRUE(is_redirect(status, {{"LOCATION", "/"}}));
    EXPECT_FALSE(is_redirect(status, {}));
  }
  for (const int status : {200, 201, 300, 304, 305, 306, 309, 399})
    EXPECT_FALSE(is_redirect(status, {{"Location", "/"}}));
}

}  // namespace
}  // namespace glovebox::net
