#include "base/text/utf8.h"

#include <gtest/gtest.h>

namespace glovebox::base {
namespace {

TEST(IsUtf8, KnowsTheDifference) {
  EXPECT_TRUE(is_utf8(""));
  EXPECT_TRUE(is_utf8("é漢\xf0\x9f\x98\x80"));
  EXPECT_FALSE(is_utf8("\xff"));
  EXPECT_FALSE(is_utf8("\xed\xa0\x80"));
  EXPECT_FALSE(is_utf8("abc\xe6\xbc"));
}

}  // namespace
}  // namespace glovebox::base
