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

}  // namespace
}  // namespace glovebox::base
