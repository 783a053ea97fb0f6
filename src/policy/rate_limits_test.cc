#include "policy/rate_limits.h"

#include <gtest/gtest.h>

namespace glovebox::policy {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

class RateLimitsTest : public testing::Test {
 protected:
  std::chrono::steady_clock::time_point now_{seconds(1000)};
  RateLimits limits_{[this] { return now_; }};
};

TEST_F(RateLimitsTest, GiveAMinutesWorthAndThenAsFastAsItFills) {
  ASSERT_TRUE(limits_.set({{"fs:write", {.per_minute = 6}}}).ok());
  for (int i = 0; i < 6; ++i) EXPECT_FALSE(limits_.take("fs", "write"));
  const auto refusal = limits_.take("fs", "write");
  ASSERT_TRUE(refusal);
  EXPECT_EQ(refusal->pattern, "fs:write");
  EXPECT_EQ(refusal->retry_after, seconds(10));
  EXPECT_FALSE(limits_.take("fs", "read"));
  now_ += milliseconds(9999);
  EXPECT_TRUE(limits_.take("fs", "write"));
  now_ += milliseconds(1);
  EXPECT_FALSE(limits_.take("fs", "write"));
  EXPECT_TRUE(limits_.take("fs", "write"));
  now_ += std::chrono::hours(5);
  for (int i = 0; i < 6; ++i) EXPECT_FALSE(limits_.take("fs", "write"));
  EXPECT_TRUE(limits_.take("fs", "write"));
}

TEST_F(RateLimitsTest, ACallThatOneLimitRefusesCostsTheOthersNothing) {
  ASSERT_TRUE(limits_.set({{"fs", {.per_minute = 2}}, {"fs:write", {.per_minute = 1}}}).ok());
  EXPECT_FALSE(limits_.take("fs", "write"));
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(limits_.take("fs", "write"));
  EXPECT_FALSE(limits_.take("fs", "read"));
  EXPECT_TRUE(limits_.take("fs", "read"));
}

TEST_F(RateLimitsTest, CountCallsThatAreUnderWay) {
  ASSERT_TRUE(limits_.set({{"fs", {.concurrent = 2}}}).ok());
  EXPECT_TRUE(limits_.has_room("fs", "a"));
  limits_.begin("fs", "a");
  limits_.begin("fs", "b");
  EXPECT_FALSE(limits_.has_room("fs", "c"));
  EXPECT_TRUE(limits_.has_room("gh", "c"));
  limits_.end("fs", "a");
  EXPECT_TRUE(limits_.has_room("fs", "c"));
}

TEST_F(RateLimitsTest, AChangedLimitKeepsItsCount) {
  ASSERT_TRUE(limits_.set({{"fs", {.per_minute = 2, .concurrent = 1}}}).ok());
  EXPECT_FALSE(limits_.take("fs", "a"));
  EXPECT_FALSE(limits_.take("fs", "a"));
  limits_.begin("fs", "a");
  ASSERT_TRUE(limits_.set({{"fs", {.per_minute = 100, .concurrent = 1}}}).ok());
  EXPECT_TRUE(limits_.take("fs", "a"));
  EXPECT_FALSE(limits_.has_room("fs", "a"));
  ASSERT_TRUE(limits_.set({}).ok());
  limits_.end("fs", "a");
  EXPECT_TRUE(limits_.has_room("fs", "a"));
}

TEST_F(RateLimitsTest, RefuseConditions) {
  EXPECT_FALSE(limits_.set({{"fs:a(path=x)", {.per_minute = 1}}}).ok());
  EXPECT_FALSE(limits_.set({{"fs:", {.per_minute = 1}}}).ok());
}

}  // namespace
}  // namespace glovebox::policy
