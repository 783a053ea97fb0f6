#include "wire/data_frame.h"

#include <gtest/gtest.h>

#include "wire/frame.h"

namespace glovebox::wire {
namespace {

std::string frame_of(std::uint64_t id, std::uint64_t expected, std::string_view bytes) {
  std::string frame(kPrefixBytes + kDataHeaderBytes, 'x');
  write_data_header(frame.data(), id, expected, bytes.size());
  return frame.append(bytes);
}

TEST(DataFrame, ReadsWhatItWrote) {
  FrameReader reader(1024);
  reader.append(frame_of(0x0102030405060708, 1'000'000'000'000, "abc"));
  std::string_view payload;
  ASSERT_EQ(reader.next(payload), FrameReader::State::kFrame);
  ASSERT_TRUE(is_data(payload));
  const auto piece = read_data(payload);
  ASSERT_TRUE(piece);
  EXPECT_EQ(piece->call_id, 0x0102030405060708u);
  EXPECT_EQ(piece->expected_bytes, 1'000'000'000'000u);
  EXPECT_EQ(piece->bytes, "abc");
}

TEST(DataFrame, JsonIsNoData) {
  EXPECT_FALSE(is_data(R"({"frame":"log"})"));
  EXPECT_FALSE(is_data(""));
  EXPECT_FALSE(read_data(R"({"frame":"log","level":"log","text":""})"));
}

TEST(DataFrame, APieceWithoutBytesIsNone) {
  for (std::size_t size = 1; size <= kDataHeaderBytes; ++size) EXPECT_FALSE(read_data(std::string(size, '\0'))) << size;
  EXPECT_TRUE(read_data(std::string(kDataHeaderBytes + 1, '\0')));
}

}  // namespace
}  // namespace glovebox::wire
