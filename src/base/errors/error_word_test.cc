#include "base/errors/error_word.h"

#include <gtest/gtest.h>

namespace glovebox::base {
namespace {

TEST(ErrorWord, IsFoundInTheTable) {
  constexpr ErrorWord word = "RPC_TIMEOUT";
  EXPECT_EQ(word.name(), "RPC_TIMEOUT");
  EXPECT_EQ(word.area(), ErrorWord::Area::kCall);
  EXPECT_EQ(word.exit_code(), 8);
  EXPECT_TRUE(word == ErrorWord("RPC_TIMEOUT"));
  EXPECT_FALSE(word == ErrorWord("TOOL_ERROR"));
}

TEST(ErrorWord, IsReadFromText) {
  ASSERT_TRUE(ErrorWord::read("USAGE"));
  EXPECT_EQ(ErrorWord::read("USAGE")->text(), "USAGE");
  EXPECT_FALSE(ErrorWord::read("usage"));
  EXPECT_FALSE(ErrorWord::read("OF_A_GUEST"));
  EXPECT_FALSE(ErrorWord::read(""));
}

}  // namespace
}  // namespace glovebox::base
