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

TEST(Frame, CanBeBuiltInPlace) {
  std::string frame = begin_frame(100);
  frame += "abc";
  end_frame(frame);
  EXPECT_EQ(frame, make_frame("abc"));
  // The expected size is a hint, not a limit.
  std::string longer = begin_frame(0);
  longer.append(0x0102, 'x');
  end_frame(longer);
  EXPECT_EQ(longer, make_frame(std::string(0x0102, 'x')));
  std::string head = begin_frame(10);
  head += "abc";
  end_frame(head, 2);
  EXPECT_EQ(head + "de", make_frame("abcde"));
}

TEST(FrameReader, ReadsAWholeFrame) {
  FrameReader reader(100);
  std::string_view payload;
  reader.append(make_frame("hello"));
  ASSERT_EQ(reader.next(payload), State::kFrame);
  EXPECT_EQ(payload, "hello");
  EXPECT_EQ(reader.next(payload), State::kNeedMore);
}

TEST(FrameReader, GivesAPartOfAPayloadAway) {
  for (const std::size_t size : {10u, 1u << 20}) {
    FrameReader reader(2 << 20);
    const std::string part(size, 'x');
    reader.append(make_frame("before" + part + "behind") + make_frame("next"));
    std::string_view payload;
    ASSERT_EQ(reader.next(payload), State::kFrame);
    EXPECT_EQ(reader.take(payload.substr(6, size)), part);
    EXPECT_TRUE(reader.holds_partial_frame());
    ASSERT_EQ(reader.next(payload), State::kFrame);
    EXPECT_EQ(payload, "next");
    EXPECT_EQ(reader.take(payload), "next");
    EXPECT_FALSE(reader.holds_partial_frame());
    EXPECT_EQ(reader.next(payload), State::kNeedMore);
  }
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

// It is refused before any of the payload arrives.
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

// Parsers that read ahead rely on it; under a sanitizer a missing byte fails the test.
TEST(FrameReader, KeepsBytesReadableBehindEveryPayload) {
  for (const std::size_t size : {1u, 15u, 16u, 60u, 64u, 1000u, 70000u}) {
    for (const std::size_t step : {1u, 7u, 100000u}) {
      FrameReader reader(100'000);
      const std::string frame = make_frame(std::string(size, 'p'));
      for (std::size_t at = 0; at < frame.size(); at += step) reader.append(std::string_view(frame).substr(at, step));
      std::string_view payload;
      ASSERT_EQ(reader.next(payload), State::kFrame);
      unsigned sum = 0;
      for (std::size_t i = 0; i < size + FrameReader::kReadablePadding; ++i) {
        sum += static_cast<unsigned char>(*static_cast<const volatile char*>(payload.data() + i));
      }
      EXPECT_GE(sum, size * 'p');
    }
  }
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
