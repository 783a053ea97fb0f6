#include "replay/call_digest.h"

#include <gtest/gtest.h>

#include <set>

namespace glovebox::replay {
namespace {

calls::Call call_of(std::string op, std::string_view arguments, std::uint64_t body_bytes = 0) {
  return {1, std::move(op), {}, body_bytes, arguments};
}

TEST(CallDigests, DifferWithWhateverDiffers) {
  const CallDigests digests;
  std::set<std::string> seen{digests.of(call_of("fs.read", "{}")), digests.of(call_of("fs.rea", "d{}")),
                             digests.of(call_of("fs.read", "{} ")), digests.of(call_of("fs.read", "{}", 1)),
                             digests.of(call_of("fs.write", "{}"))};
  EXPECT_EQ(seen.size(), 5u);
  for (const std::string& digest : seen) EXPECT_EQ(digest.size(), 64u);
  EXPECT_TRUE(seen.contains(digests.of(call_of("fs.read", "{}"))));
}

TEST(CallDigests, HoldTheBytesThatWentBefore) {
  CallDigests one, other, third;
  one.add_bytes("ab");
  one.add_bytes("c");
  other.add_bytes("abc");
  third.add_bytes("abd");
  EXPECT_EQ(one.of(call_of("a", "{}")), other.of(call_of("a", "{}")));
  EXPECT_NE(one.of(call_of("a", "{}")), third.of(call_of("a", "{}")));
}

// A journal outlives the program that wrote it.
TEST(CallDigests, StayTheSameFromVersionToVersion) {
  EXPECT_EQ(CallDigests().of(call_of("tool", R"({"server":"a","tool":"b","arguments":{}})")),
            "bb2a041624b16fa0237d9c618a88439ccdf1e8db1d48b4bfca8379ba3f2b139a");
}

}  // namespace
}  // namespace glovebox::replay
