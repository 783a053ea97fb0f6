#include "cache/cache_key.h"
#include "base/digest.h"

#include <gtest/gtest.h>

#include <set>

namespace glovebox::cache {
namespace {

TEST(CacheKey, IsTheSameForTheSameFields) {
  EXPECT_EQ(CacheKey("run").add("a", "1").hex(), CacheKey("run").add("a", "1").hex());
  EXPECT_EQ(CacheKey("run").hex().size(), 64u);
}

// However the same letters are split into fields.
TEST(CacheKey, IsAnotherForOtherFields) {
  const std::vector<std::string> one = {"1"}, two = {"1", "2"}, none;
  const std::set<std::string> keys = {
      CacheKey("run").hex(),
      CacheKey("call").hex(),
      CacheKey("run").add("a", "1").hex(),
      CacheKey("run").add("a1", "").hex(),
      CacheKey("run").add("", "a1").hex(),
      CacheKey("run").add("a", "12").hex(),
      CacheKey("run").add("a", "1").add("b", "").hex(),
      CacheKey("run").add("a", "1").add("", "b").hex(),
      CacheKey("run").add("a", one).hex(),
      CacheKey("run").add("a", two).hex(),
      CacheKey("run").add("a", none).hex(),
      CacheKey("run").add("a", "1:1").hex(),
  };
  EXPECT_EQ(keys.size(), 12u);
}

TEST(CacheKey, HashesAsEverybodyDoes) {
  EXPECT_EQ(base::sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

}  // namespace
}  // namespace glovebox::cache
