#include "wire/frame.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace glovebox::wire {
namespace {

using namespace std::string_literals;
using State = FrameReader::State;

TEST(Frame, StartsWithItsLengthInLittleEndian) {
  EXPECT_EQ(make_frame("abc"), "\x03\x00\x00\x00"s + "abc");
  EXPECT_EQ(make_frame(std::string(0x0102, 'x')).substr(0, 4), "\x02\x01\x00\x00"s);
  std::string prefix;
  append_prefix(prefix, 0x01020304);
  EXPECT_EQ(prefix, "\x04\x03\x02\x01"s);
}

TEST(FrameReader, ReadsAWholeFrame) {
  FrameReader reader(100);
  std::string_view payload;
  reader.append(make_frame("hello"));
  ASSERT_EQ(reader.next(payload), State::kFrame);
  EXPECT_EQ(payload, "hello");
  EXPECT_EQ(reader.next(payload), State::kNeedMore);
}

TEST(FrameReader, ReadsAFrameThatComesByteByByte) {
  FrameReader reader(100);
  std::string_view payload;
  const std::string frame = make_frame("hello");
  for (std::size_t i = 0; i + 1 < frame.size(); ++i) {
    reader.append(frame.substr(i, 1));
    ASSERT_EQ(reader.next(payload), State::kNeedMore) << "after " << i + 1 << " bytes";
    EXPECT_TRUE(reader.holds_partial_frame());
  }
  reader.append(frame.substr(frame.size() - 1));
  ASSERT_EQ(reader.next(payload), State::kFrame);
  EXPECT_EQ(payload, "hello");
}

TEST(FrameReader, ReadsSeveralFramesFromOneRead) {
  FrameReader reader(100);
  std::string_view payload;
  reader.append(make_frame("one") + make_frame("two") + make_frame("three").substr(0, 6));
  ASSERT_EQ(reader.next(payload), State::kFrame);
  EXPECT_EQ(payload, "one");
  ASSERT_EQ(reader.next(payload), State::kFrame);
  EXPECT_EQ(payload, "two");
  EXPECT_EQ(reader.next(payload), State::kNeedMore);
  EXPECT_TRUE(reader.holds_partial_frame());
  reader.append(make_frame("three").substr(6));
  ASSERT_EQ(reader.next(payload), State::kFrame);
  EXPECT_EQ(payload, "three");
  EXPECT_FALSE(reader.holds_partial_frame());
}

TEST(FrameReader, TakesALengthAtTheLimitAndRefusesOneMore) {
  std::string_view payload;
  FrameReader at_limit(5);
  at_limit.append(make_frame("12345"));
  EXPECT_EQ(at_limit.next(payload), State::kFrame);
  FrameReader beyond(5);
  beyond.append(make_frame("123456"));
  EXPECT_EQ(beyond.next(payload), State::kTooLarge);
}

// Nothing of a payload that will not be read needs to arrive first.
TEST(FrameReader, RefusesAHugeLengthByItsPrefixAlone) {
  FrameReader reader(1000);
  std::string_view payload;
  reader.append("\xff\xff\xff\xff"s);
  EXPECT_EQ(reader.next(payload), State::kTooLarge);
  EXPECT_EQ(reader.next(payload), State::kTooLarge) << "the answer is final";
}

TEST(FrameReader, RefusesAnEmptyFrame) {
  FrameReader reader(1000);
  std::string_view payload;
  reader.append("\0\0\0\0"s + make_frame("x"));
  EXPECT_EQ(reader.next(payload), State::kEmpty);
  EXPECT_EQ(reader.next(payload), State::kEmpty) << "the answer is final";
}

TEST(FrameReader, CutsAnyStreamAtAnyPlaceIntoTheSameFrames) {
  std::mt19937 random(20260131);
  for (int round = 0; round < 200; ++round) {
    std::vector<std::string> sent;
    std::string stream;
    for (int i = 0; i < 20; ++i) {
      sent.emplace_back(1 + random() % 300, static_cast<char>('a' + i));
      stream += make_frame(sent.back());
    }
    FrameReader reader(300);
    std::vector<std::string> received;
    for (std::size_t at = 0; at < stream.size();) {
      const std::size_t size = 1 + random() % 200;
      reader.append(std::string_view(stream).substr(at, size));
      at += size;
      std::string_view payload;
      while (reader.next(payload) == State::kFrame) received.emplace_back(payload);
    }
    ASSERT_EQ(received, sent);
  }
}

}  // namespace
}  // namespace glovebox::wire
