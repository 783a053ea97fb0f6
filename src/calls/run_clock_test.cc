#include "calls/run_clock.h"

#include <gtest/gtest.h>

#include <limits>

namespace glovebox::calls {
namespace {

using namespace std::chrono_literals;
const RunClock::Clock::time_point kStart{1h};

TEST(RunClock, ShowsTheTimeFromWhereItBegan) {
  RunClock clock(5000, {1s, 10s}, kStart);
  EXPECT_EQ(clock.shown_ms(kStart), 5000);
  EXPECT_EQ(clock.shown_ms(kStart + 70ms), 5070);
  EXPECT_EQ(clock.when_shown(5100), kStart + 100ms);
  EXPECT_EQ(clock.when_shown(1), kStart);
  EXPECT_GT(clock.when_shown(std::numeric_limits<double>::infinity()), kStart + 24h * 100);
  EXPECT_GT(clock.when_shown(1e300), kStart + 24h * 100);
}

TEST(RunClock, DoesNotCountTheTimeInWhichItStood) {
  RunClock clock(0, {1s, 10s}, kStart);
  EXPECT_EQ(clock.deadline(), kStart + 1s);
  clock.stop(kStart + 100ms);
  EXPECT_EQ(clock.own_work_left(kStart + 10s), 900ms);
  EXPECT_EQ(clock.deadline(), RunClock::Clock::time_point::max());
  clock.go(kStart + 20s);
  EXPECT_EQ(clock.own_work_left(kStart + 20s + 50ms), 850ms);
  EXPECT_EQ(clock.deadline(), kStart + 1s + 19900ms);
  EXPECT_EQ(clock.shown_ms(kStart + 20s), 20'000);
}

TEST(RunClock, TimeInToolsIsNoTimeOfItsOwn) {
  RunClock clock(0, {1s, 10s}, kStart);
  clock.call_begins(kStart + 100ms);
  clock.call_begins(kStart + 200ms);
  clock.call_ends(kStart + 3s);
  EXPECT_EQ(clock.own_work_left(kStart + 4s), 900ms);
  EXPECT_EQ(clock.total_left(kStart + 4s), 6s);
  // A person is asked about one of them.
  clock.stop(kStart + 4s);
  EXPECT_EQ(clock.total_left(kStart + 60s), 6s);
  clock.go(kStart + 64s);
  clock.call_ends(kStart + 65s);
  EXPECT_EQ(clock.own_work_left(kStart + 65s + 300ms), 600ms);
  EXPECT_EQ(clock.total_left(kStart + 65s), 5s);
  EXPECT_EQ(clock.deadline(), kStart + 65s + 900ms);
}

TEST(RunClock, StandsUntilEveryoneLetsItGo) {
  RunClock clock(0, {1s, 10s}, kStart);
  clock.stop(kStart + 1ms);
  clock.stop(kStart + 2ms);
  clock.go(kStart + 3ms);
  EXPECT_EQ(clock.own_work_left(kStart + 10ms), 999ms);
  clock.go(kStart + 11ms);
  EXPECT_EQ(clock.own_work_left(kStart + 12ms), 998ms);
  clock.go(kStart + 13ms);  // one too many changes nothing
  EXPECT_EQ(clock.own_work_left(kStart + 14ms), 996ms);
}

}  // namespace
}  // namespace glovebox::calls
