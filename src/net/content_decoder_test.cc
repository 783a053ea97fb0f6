#include "net/content_decoder.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include "base/proving.h"
#include "net/compressed_samples.h"

namespace glovebox::net {
namespace {

using testing::brotli_of_zeros;
using testing::from_hex;
using testing::gzip_of;
using testing::zstd_of_zeros;

struct Decoded {
  std::string bytes;
  bool good = true;
  bool complete = false;
};

// Feeds `data` in pieces of `step`, and takes at most `room` at a time.
Decoded decode(const char* coding, std::string_view data, std::size_t step, std::size_t room) {
  const auto decoder = ContentDecoder::make(coding);
  Decoded result;
  for (std::size_t at = 0; at < data.size() && result.good; at += step) {
    std::string_view input = data.substr(at, step);
    while (true) {
      std::string output;
      result.good = decoder->decode(input, output, room);
      EXPECT_LE(output.size(), room);
      result.bytes += output;
      if (!result.good || output.size() < room) break;
    }
    EXPECT_TRUE(input.empty() || !result.good);
  }
  result.complete = decoder->complete();
  return result;
}

std::string sample() {
  std::string text;
  const std::size_t lines = base::random_rounds(5000);
  for (std::size_t i = 0; i < lines; ++i) text += "line " + std::to_string(i * 7919 % 1000) + "\n";
  return text;
}

std::string deflate_of(std::string_view text, int window) {
  return gzip_of(text, window);
}

TEST(ContentDecoder, GivesBackWhatWasCompressed) {
  const std::string text = sample();
  const std::string zlib = deflate_of(text, 15), bare = deflate_of(text, -15), gzip = gzip_of(text);
  for (const std::size_t step : {std::size_t{1}, std::size_t{7}, std::size_t{100'000}}) {
    for (const std::size_t room : {std::size_t{1}, std::size_t{1000}, std::size_t{1'000'000}}) {
      if (step == 1 && room == 1) continue;
      for (const auto& [coding, data] :
           {std::pair("gzip", gzip), {"X-GZip", gzip}, {"deflate", zlib}, {"deflate", bare}}) {
        const Decoded decoded = decode(coding, data, step, room);
        EXPECT_TRUE(decoded.good && decoded.complete) << coding;
        EXPECT_TRUE(decoded.bytes == text) << coding << " in steps of " << step << " with room for " << room;
      }
    }
  }
  for (const std::size_t step : {1, 3, 1000}) {
    EXPECT_EQ(decode("br", from_hex("1b1200f88d946ede44095286966c2c6f114f24d07100"), step, 4).bytes,
              "hello, hello, hello");
    const Decoded zstd = decode("zstd", zstd_of_zeros(300'000), step, 5000);
    EXPECT_TRUE(zstd.complete);
    EXPECT_EQ(zstd.bytes, std::string(300'000, '\0'));
  }
}

TEST(ContentDecoder, ReadsSeveralGzipMembersAndIgnoresWhatFollows) {
  const std::string two = gzip_of("first ") + gzip_of("second");
  EXPECT_EQ(decode("gzip", two, 1, 100).bytes, "first second");
  EXPECT_EQ(decode("gzip", two, 1000, 100).bytes, "first second");
  const Decoded padded = decode("gzip", gzip_of("a") + std::string(100, '\0'), 1000, 100);
  EXPECT_TRUE(padded.good && padded.complete);
  EXPECT_EQ(padded.bytes, "a");
}

TEST(ContentDecoder, KnowsWhenSomethingIsMissing) {
  const std::string gzip = gzip_of(sample());
  EXPECT_FALSE(decode("gzip", std::string_view(gzip).substr(0, gzip.size() - 1), 1000, 1000).complete);
  EXPECT_FALSE(decode("br", brotli_of_zeros().substr(0, 20), 1000, 1 << 20).complete);
  EXPECT_FALSE(decode("zstd", zstd_of_zeros(300'000).substr(0, 15), 1000, 1 << 20).complete);
  for (const char* coding : {"gzip", "deflate", "br", "zstd"}) EXPECT_TRUE(decode(coding, "", 1, 1).complete) << coding;
}

TEST(ContentDecoder, SaysWhatIsCorrupt) {
  for (const char* coding : {"gzip", "br", "zstd"}) {
    EXPECT_FALSE(decode(coding, std::string(1000, '\xff'), 1000, 1000).good) << coding;
  }
  EXPECT_FALSE(decode("deflate", "\x78\xff garbage", 1000, 1000).good);
  // A window of 128 MB, which a server may request and is refused.
  EXPECT_FALSE(decode("zstd", from_hex("28b52ffd008801000000"), 1000, 1000).good);
}

TEST(ContentDecoder, UnfoldsABombOnlyAsFarAsThereIsRoom) {
  for (const auto& [coding, data] : {std::pair<const char*, std::string>("br", brotli_of_zeros()),
                                     {"zstd", zstd_of_zeros(64 << 20)},
                                     {"gzip", gzip_of(std::string(64 << 20, '\0'))}}) {
    const auto decoder = ContentDecoder::make(coding);
    std::string_view input = data;
    std::string output;
    ASSERT_TRUE(decoder->decode(input, output, 1000)) << coding;
    EXPECT_EQ(output.size(), 1000u) << coding;
  }
}

TEST(ContentDecoder, SaysWhatItHolds) {
  constexpr std::size_t kMegabyte = 1 << 20;
  const std::string zeros(20 * kMegabyte, '\0');
  for (const auto& [coding, data, least] :
       {std::tuple<const char*, std::string, std::size_t>("br", brotli_of_zeros(), kMegabyte),
        {"zstd", zstd_of_zeros(64 * kMegabyte), 2 * kMegabyte},
        {"gzip", gzip_of(zeros), 32 * 1024}}) {
    const auto decoder = ContentDecoder::make(coding);
    EXPECT_LT(decoder->memory(), kMegabyte) << coding;
    std::string_view input = data;
    std::string output;
    ASSERT_TRUE(decoder->decode(input, output, zeros.size())) << coding;
    EXPECT_GE(decoder->memory(), least) << coding;
    EXPECT_LE(decoder->memory(), 20 * kMegabyte) << coding;
  }
}

TEST(ContentDecoder, LeavesOtherCodingsAlone) {
  for (const char* coding : {"", "identity", "compress", "gzip, br", "gzip,gzip", "gzip;q=1", "aws-chunked"}) {
    EXPECT_EQ(ContentDecoder::make(coding), nullptr) << coding;
  }
}

}  // namespace
}  // namespace glovebox::net
