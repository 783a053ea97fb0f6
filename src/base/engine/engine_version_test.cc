#include "base/engine/engine_version.h"

#include <gtest/gtest.h>

namespace glovebox::base {
namespace {

TEST(EngineVersion, IsThatOfThePackage) {
  const EngineVersion engine = engine_version();
  EXPECT_NE(engine.node.find('.'), std::string_view::npos);
  EXPECT_NE(engine.v8.find('.'), std::string_view::npos);
  EXPECT_TRUE(days_since(engine.released, 0)) << engine.released;
  EXPECT_EQ(engine_name(), "node " + std::string(engine.node));
}

TEST(EngineVersion, HasAnAgeInDays) {
  constexpr std::int64_t kDay = 86'400'000;
  EXPECT_EQ(days_since("1970-03-01", 60 * kDay), 1);
  EXPECT_EQ(days_since("1970-03-01", 58 * kDay), -1);
  EXPECT_FALSE(days_since("", 0));
  EXPECT_FALSE(days_since("1970-03-01x", 0));
}

}  // namespace
}  // namespace glovebox::base
