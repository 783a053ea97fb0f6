#include "base/random.h"

#include <gtest/gtest.h>

namespace glovebox::base {
namespace {

TEST(Random, HasTwoDigitsForEachByteAndIsAnotherEachTime) {
  EXPECT_EQ(random_hex(16).size(), 32u);
  EXPECT_EQ(random_hex(16).find_first_not_of("0123456789abcdef"), std::string::npos);
  EXPECT_NE(random_hex(16), random_hex(16));
}

TEST(Random, AnIdIsItsPrefixAndLetters) {
  const std::string id = random_id("run_");
  EXPECT_EQ(id.size(), 30u);
  EXPECT_TRUE(id.starts_with("run_"));
  EXPECT_EQ(id.find_first_not_of("abcdefghijklmnopqrstuvwxyz234567", 4), std::string::npos);
  EXPECT_NE(id, random_id("run_"));
}

TEST(Random, LaterTimedIdsAreGreater) {
  const std::string first = timed_id("run_");
  EXPECT_EQ(first.size(), 30u);
  EXPECT_EQ(first.find_first_not_of("abcdefghijklmnopqrstuvwxyz234567", 4), std::string::npos);
  EXPECT_NE(first, timed_id("run_"));
  std::string later;
  while (later.substr(0, 12) <= first.substr(0, 12)) later = timed_id("run_");
  EXPECT_GT(later, first);
}

}  // namespace
}  // namespace glovebox::base
