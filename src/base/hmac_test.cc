#include "base/hmac.h"

#include <gtest/gtest.h>

#include "base/text/hex.h"

namespace glovebox::base {
namespace {

// RFC 4231, cases 2 and 6: a short key, and one longer than a block.
TEST(HmacSha256, IsThatOfTheStandard) {
  HmacSha256 mac("Jefe");
  mac.add("what do ya want ");
  mac.add("for nothing?");
  EXPECT_EQ(hex(mac.digest()), "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  HmacSha256 with_long_key(std::string(131, '\xaa'));
  with_long_key.add("Test Using Larger Than Block-Size Key - Hash Key First");
  EXPECT_EQ(hex(with_long_key.digest()), "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
}

TEST(EqualSecrets, ComparesAllBytes) {
  EXPECT_TRUE(equal_secrets("secret", "secret"));
  EXPECT_TRUE(equal_secrets("", ""));
  EXPECT_FALSE(equal_secrets("secret", "secreT"));
  EXPECT_FALSE(equal_secrets("secret", "secret "));
  EXPECT_FALSE(equal_secrets(std::string_view("a\0b", 3), std::string_view("a\0c", 3)));
}

}  // namespace
}  // namespace glovebox::base
