#include "base/wall_clock.h"

#include <gtest/gtest.h>

namespace glovebox::base {
namespace {

TEST(WallClock, IsShownInUtcWithMilliseconds) {
  EXPECT_EQ(iso_time(0), "1970-01-01T00:00:00.000Z");
  EXPECT_EQ(iso_time(1'763'222'851'123), "2025-11-15T16:07:31.123Z");
  EXPECT_EQ(iso_time(1'000'000'007), "1970-01-12T13:46:40.007Z");
  EXPECT_EQ(iso_seconds(1'763'222'851'999), "2025-11-15T16:07:31Z");
  EXPECT_GT(now_ms(), 1'763'222'851'123);
}

}  // namespace
}  // namespace glovebox::base
