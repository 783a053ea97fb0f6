#include "base/text/hex.h"

#include <gtest/gtest.h>

namespace glovebox::base {
namespace {

using namespace std::string_view_literals;

TEST(Hex, HasTwoDigitsForEachByte) {
  EXPECT_EQ(hex(""), "");
  EXPECT_EQ(hex("\x00\x0f\x7f\x80\xff"sv), "000f7f80ff");
}

}  // namespace
}  // namespace glovebox::base
