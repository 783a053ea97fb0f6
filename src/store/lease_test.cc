#include "store/lease.h"

#include <gtest/gtest.h>

namespace glovebox::store {
namespace {

using namespace std::chrono_literals;

TEST(LeaseTest, HoldsUntilSomewhatBeforeItsEnd) {
  const Lease lease(100s, 16s);
  EXPECT_TRUE(lease.holds(100s));
  EXPECT_TRUE(lease.holds(114s));
  EXPECT_FALSE(lease.holds(115s));
  EXPECT_FALSE(lease.holds(117s));
}

TEST(LeaseTest, OneWithoutEndHolds) {
  EXPECT_TRUE(Lease::without_end().holds());
  EXPECT_TRUE(Lease::without_end().holds(std::chrono::hours(100'000)));
}

TEST(LeaseTest, ItsClockGoesOn) {
  const auto before = Lease::now();
  EXPECT_GT(before, 0s);
  EXPECT_GE(Lease::now(), before);
}

}  // namespace
}  // namespace glovebox::store
