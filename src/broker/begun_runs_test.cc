#include "broker/begun_runs.h"

#include <gtest/gtest.h>

namespace glovebox::broker {
namespace {

class BegunRunsTest : public testing::Test {
 protected:
  void fill() {
    for (std::uint64_t id = 0; id < 2 * BegunRuns::kPerCore; ++id) runs_.began(id, start_);
  }

  BegunRuns runs_{2};
  const BegunRuns::Clock::time_point start_{};
};

TEST_F(BegunRunsTest, HaveRoomForSomeOfEachCore) {
  EXPECT_EQ(runs_.room(start_), 2 * BegunRuns::kPerCore);
  runs_.began(7, start_);
  EXPECT_EQ(runs_.room(start_), 2 * BegunRuns::kPerCore - 1);
  fill();
  EXPECT_EQ(runs_.room(start_), 0u) << "one more than fits";
}

TEST_F(BegunRunsTest, HaveRoomWhenOneEnds) {
  fill();
  ASSERT_EQ(runs_.room(start_), 0u);
  runs_.ended(1);
  EXPECT_EQ(runs_.room(start_), 1u);
  runs_.ended(1);
  EXPECT_EQ(runs_.room(start_), 1u);
}

TEST_F(BegunRunsTest, HaveRoomAfterAMoment) {
  fill();
  EXPECT_EQ(runs_.next_room(), start_ + BegunRuns::kMoment);
  EXPECT_EQ(runs_.room(runs_.next_room() - std::chrono::nanoseconds(1)), 0u);
  EXPECT_EQ(runs_.room(runs_.next_room()), 2 * BegunRuns::kPerCore);
  runs_.ended(0);
  EXPECT_EQ(runs_.room(start_), 2 * BegunRuns::kPerCore);
}

TEST(BegunRuns, HaveRoomWhereTheNumberOfCoresIsNotKnown) {
  EXPECT_GT(BegunRuns(0).room({}), 0u);
}

}  // namespace
}  // namespace glovebox::broker
