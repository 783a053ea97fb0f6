#include "net/response_head_parser.h"

#include <gtest/gtest.h>

#include <string>

namespace glovebox::net {
namespace {

FetchResult<void> feed_all(ResponseHeadParser& parser, std::initializer_list<std::string_view> lines) {
  for (const auto line : lines) {
    if (auto fed = parser.feed(line); !fed) return fed;
  }
  return {};
}

TEST(ResponseHead, IsReadLineByLine) {
  ResponseHeadParser parser;
  ASSERT_TRUE(feed_all(parser, {"HTTP/1.1 404 Not  Found\r\n", "A: b \r\n", "a:\tc\r\n", "Empty:\r\n"}).ok());
  EXPECT_FALSE(parser.complete());
  ASSERT_TRUE(feed_all(parser, {"\r\n", "Trailer: x\r\n"}).ok());
  EXPECT_TRUE(parser.complete());
  EXPECT_EQ(parser.status(), 404);
  EXPECT_EQ(parser.status_text(), "Not  Found");
  EXPECT_EQ(parser.headers(), (Headers{{"A", "b"}, {"a", "c"}, {"Empty", ""}}));
}

TEST(ResponseHead, ComesAfterInterimOnes) {
  ResponseHeadParser parser;
  ASSERT_TRUE(
      feed_all(parser, {"HTTP/1.1 100 Continue\r\n", "\r\n", "HTTP/1.1 103 Early Hints\r\n", "Link: x\r\n", "\r\n"})
          .ok());
  EXPECT_FALSE(parser.complete());
  ASSERT_TRUE(feed_all(parser, {"HTTP/1.0 200\r\n", "A: b\r\n", "\r\n"}).ok());
  EXPECT_TRUE(parser.complete());
  EXPECT_EQ(parser.status_text(), "");
  EXPECT_EQ(parser.headers(), (Headers{{"A", "b"}}));
}

TEST(ResponseHead, RefusesWhatIsNone) {
  for (const std::string_view bad :
       {"HTTP/2 200\r\n", "ICY 200 OK\r\n", "HTTP/1.1 20 OK\r\n", "HTTP/1.1 2000\r\n", "HTTP/1.1 099 x\r\n",
        "HTTP/1.1 600 x\r\n", "HTTP/1.1 -20 x\r\n", "HTTP/1.1\r\n", "\r\n", "HTTP/1.1 200 \x1b[0m\r\n"}) {
    EXPECT_FALSE(ResponseHeadParser().feed(bad).ok()) << bad;
  }
  for (const std::string_view bad :
       {" folded\r\n", "\tfolded: x\r\n", "no colon\r\n", ": x\r\n", "A B: x\r\n", "A: x\ry\r\n", "A: \x01\r\n",
        "Content-Length: -1\r\n", "Content-Length: 0x5\r\n", "Content-Length:\r\n", "content-length: 5, 5\r\n",
        "Content-Length: 9999999999999999999\r\n"}) {
    ResponseHeadParser parser;
    EXPECT_TRUE(parser.feed("HTTP/1.1 200 OK\r\n").ok());
    EXPECT_FALSE(parser.feed(bad).ok()) << bad;
  }
  ResponseHeadParser lengths;
  EXPECT_TRUE(feed_all(lengths, {"HTTP/1.1 200 OK\r\n", "Content-Length: 5\r\n", "Content-Length: 5\r\n"}).ok());
  EXPECT_FALSE(lengths.feed("content-length: 6\r\n").ok());
  ResponseHeadParser switching;
  EXPECT_FALSE(feed_all(switching, {"HTTP/1.1 101 Switching Protocols\r\n", "\r\n"}).ok());
}

TEST(ResponseHead, IsBoundedOverAllOfItsParts) {
  ResponseHeadParser many(1'000'000, 10);
  EXPECT_TRUE(many.feed("HTTP/1.1 200 OK\r\n").ok());
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(many.feed("A: b\r\n").ok());
  EXPECT_EQ(many.feed("A: b\r\n").failure().kind, FetchError::Kind::kLimit);

  ResponseHeadParser interim(1000, 10);
  FetchResult<void> last;
  int fed = 0;
  for (; last.ok() && fed < 1000; ++fed) last = feed_all(interim, {"HTTP/1.1 100 Continue\r\n", "\r\n"});
  EXPECT_EQ(last.failure().kind, FetchError::Kind::kLimit) << "endless interim responses";
  EXPECT_LT(fed, 50);

  ResponseHeadParser trailers(100, 10);
  EXPECT_TRUE(feed_all(trailers, {"HTTP/1.1 200 OK\r\n", "\r\n"}).ok());
  EXPECT_FALSE(trailers.feed("A: " + std::string(100, 'x') + "\r\n").ok());
}

}  // namespace
}  // namespace glovebox::net
