#include "net/body_source.h"

#include <gtest/gtest.h>

namespace glovebox::net {
namespace {

std::string take(BodySource& body, std::size_t room) {
  std::string buffer(room, '?');
  const auto count = body.take(buffer);
  if (!count) return "(wait)";
  return buffer.substr(0, *count);
}

TEST(BodySource, NoneIsEmpty) {
  BodySource none;
  EXPECT_FALSE(none.present());
  EXPECT_EQ(take(none, 10), "");
  EXPECT_TRUE(none.replayable());
}

TEST(BodySource, BytesCanBeSentAgain) {
  BodySource body{RequestBody(std::string("hello"))};
  EXPECT_EQ(body.size(), 5u);
  EXPECT_EQ(take(body, 3), "hel");
  EXPECT_TRUE(body.rewind());
  EXPECT_EQ(take(body, 3), "hel");
  EXPECT_EQ(take(body, 3), "lo");
  EXPECT_EQ(take(body, 3), "");
}

TEST(BodySource, StreamsWaitForTheirPieces) {
  BodySource body{RequestBody(StreamedBody{})};
  EXPECT_FALSE(body.size());
  EXPECT_FALSE(body.rewind());
  EXPECT_EQ(take(body, 3), "(wait)");
  EXPECT_TRUE(body.add("ab", false));
  EXPECT_FALSE(body.drained());
  EXPECT_EQ(take(body, 3), "ab");
  EXPECT_TRUE(body.drained());
  EXPECT_EQ(take(body, 3), "(wait)");
  EXPECT_TRUE(body.add("c", true));
  EXPECT_EQ(take(body, 3), "c");
  EXPECT_EQ(take(body, 3), "");
}

TEST(BodySource, StreamsKeepTheirPromise) {
  BodySource more{RequestBody(StreamedBody{3})};
  EXPECT_EQ(more.size(), 3u);
  EXPECT_TRUE(more.add("ab", false));
  EXPECT_FALSE(more.add("cd", false));
  BodySource less{RequestBody(StreamedBody{3})};
  EXPECT_FALSE(less.add("ab", true));
  BodySource exactly{RequestBody(StreamedBody{3})};
  EXPECT_TRUE(exactly.add("abc", true));
}

}  // namespace
}  // namespace glovebox::net
