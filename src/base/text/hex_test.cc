#include "base/text/hex.h"

#include <gtest/gtest.h>

namespace glovebox::base {
namespace {

using namespace std::string_view_literals;

TEST(HexNumber, HasAsManyDigitsAsAreAskedFor) {
  EXPECT_EQ(hex_number(0, 4), "0000");
  EXPECT_EQ(hex_number(0x1f, 4), "001f");
  EXPECT_EQ(hex_number(0x12345, 4), "2345");
  EXPECT_EQ(hex_number(0xfedcba9876543210, 16), "fedcba9876543210");
}

TEST(Hex, HasTwoDigitsForEachByte) {
  EXPECT_EQ(hex(""), "");
  EXPECT_EQ(hex("\x00\x0f\x7f\x80\xff"sv), "000f7f80ff");
}

}  // namespace
}  // namespace glovebox::base
