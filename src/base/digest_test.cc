#include "base/digest.h"

#include <gtest/gtest.h>

namespace glovebox::base {
namespace {

TEST(Sha256, IsThatOfTheStandard) {
  EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256_hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

TEST(ShortDigest, IsFnv1a) {
  EXPECT_EQ(short_digest(""), "cbf29ce484222325");
  EXPECT_EQ(short_digest("foobar"), "85944171f73967e8");
}

TEST(Sha256, GoesOnAfterItWasRead) {
  Sha256 hash;
  hash.add("a");
  EXPECT_EQ(hash.hex(), sha256_hex("a"));
  hash.add("bc");
  EXPECT_EQ(hash.hex(), sha256_hex("abc"));
}

}  // namespace
}  // namespace glovebox::base
