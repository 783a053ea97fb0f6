#include "broker/one_core.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

namespace glovebox::broker {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

int cores_of(pid_t process) {
  cpu_set_t cores;
  EXPECT_EQ(::sched_getaffinity(process, sizeof cores, &cores), 0);
  return CPU_COUNT(&cores);
}

class OneCoreTest : public testing::Test {
 protected:
  void SetUp() override {
    if (cores_of(0) < 2) GTEST_SKIP() << "this machine has one core";
    guest_ = ::fork();
    if (guest_ == 0) {
      ::pause();
      ::_exit(0);
    }
  }
  void TearDown() override {
    if (guest_ <= 0) return;
    ::kill(guest_, SIGKILL);
    ::waitpid(guest_, nullptr, 0);
    EXPECT_EQ(cores_of(0), all_);
  }
  void call(OneCore& run, int times, microseconds pause) {
    for (int i = 0; i < times; ++i) run.called(guest_, now_ += pause);
  }

  const int all_ = cores_of(0);
  pid_t guest_ = -1;
  OneCore::Clock::time_point now_ = OneCore::Clock::now();
};

TEST_F(OneCoreTest, IsSharedWithAGuestThatAsksAllTheTime) {
  OneCore run;
  call(run, 50, microseconds(100));
  EXPECT_EQ(cores_of(guest_), all_);
  call(run, 1, microseconds(100));
  EXPECT_EQ(cores_of(guest_), 1);
  EXPECT_EQ(cores_of(0), 1);
  call(run, 500, microseconds(60));
  run.look(now_);
  EXPECT_TRUE(run.is_shared());
}

TEST_F(OneCoreTest, IsNotSharedWithAGuestThatSeldomAsks) {
  OneCore run;
  call(run, 500, milliseconds(1));
  EXPECT_FALSE(run.is_shared());
}

TEST_F(OneCoreTest, IsGivenBackWhereThatBringsNothing) {
  OneCore run;
  call(run, 51, microseconds(100));
  ASSERT_TRUE(run.is_shared());
  call(run, 50, microseconds(95));
  EXPECT_FALSE(run.is_shared());
  EXPECT_EQ(cores_of(guest_), all_);
  call(run, 200, microseconds(100));
  EXPECT_FALSE(run.is_shared()) << "it is not tried again at once";
  call(run, 60, microseconds(100));
  EXPECT_TRUE(run.is_shared());
}

TEST_F(OneCoreTest, IsGivenBackWhenTheGuestComputes) {
  OneCore run;
  call(run, 60, microseconds(100));
  ASSERT_TRUE(run.is_shared());
  run.look(now_ + milliseconds(1));
  EXPECT_TRUE(run.is_shared());
  run.look(now_ + milliseconds(50));
  EXPECT_EQ(cores_of(guest_), all_);
  EXPECT_EQ(cores_of(0), all_);
}

TEST_F(OneCoreTest, IsNotSharedWhileThereAreOthers) {
  OneCore run;
  call(run, 60, microseconds(100));
  ASSERT_TRUE(run.is_shared());
  {
    const OneCore other;
    EXPECT_EQ(cores_of(0), all_);
    call(run, 60, microseconds(100));
    EXPECT_FALSE(run.is_shared());
  }
  call(run, 60, microseconds(100));
  EXPECT_TRUE(run.is_shared());
}

TEST_F(OneCoreTest, IsNotSharedWithAGuestThatIsGone) {
  ::kill(guest_, SIGKILL);
  ::waitpid(std::exchange(guest_, -1), nullptr, 0);
  OneCore run;
  for (int i = 0; i < 60; ++i) run.called(1 << 30, now_);
  EXPECT_FALSE(run.is_shared());
  EXPECT_EQ(cores_of(0), all_);
}

}  // namespace
}  // namespace glovebox::broker
