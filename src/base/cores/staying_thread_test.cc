#include "base/cores/staying_thread.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <future>
#include <thread>

#include "base/clone_process.h"
#include "base/lane.h"

namespace glovebox::base {
namespace {

int cores_of_this_thread() {
  cpu_set_t cores;
  return ::sched_getaffinity(0, sizeof cores, &cores) == 0 ? CPU_COUNT(&cores) : -1;
}

// On a thread of its own, so that a failure leaves no other test on one core.
class StayingThreadTest : public testing::Test {
 protected:
  void SetUp() override {
    if (cores_of_this_thread() < 2) GTEST_SKIP() << "there is only one core";
  }
  static void on_a_thread(const std::function<void()>& work) { std::thread(work).join(); }
};

TEST_F(StayingThreadTest, StaysAndRoamsAgain) {
  on_a_thread([] {
    const int all = cores_of_this_thread();
    StayingThread& thread = StayingThread::here();
    EXPECT_FALSE(thread.core());
    ASSERT_TRUE(thread.stay());
    EXPECT_EQ(thread.core(), ::sched_getcpu());
    EXPECT_EQ(cores_of_this_thread(), 1);
    EXPECT_TRUE(thread.stay()) << "twice is once";
    thread.roam();
    EXPECT_FALSE(thread.core());
    EXPECT_EQ(cores_of_this_thread(), all);
    thread.roam();
    EXPECT_EQ(cores_of_this_thread(), all);
  });
}

TEST_F(StayingThreadTest, FollowsToAnotherCore) {
  on_a_thread([] {
    cpu_set_t all;
    ASSERT_EQ(::sched_getaffinity(0, sizeof all, &all), 0);
    StayingThread& thread = StayingThread::here();
    for (int core = 0; core < CPU_SETSIZE; ++core) {
      if (!CPU_ISSET(core, &all)) continue;
      EXPECT_TRUE(thread.stay(core));
      EXPECT_EQ(::sched_getcpu(), core);
    }
    EXPECT_FALSE(thread.stay(CPU_SETSIZE));
    thread.roam();
    EXPECT_EQ(cores_of_this_thread(), CPU_COUNT(&all));
  });
}

TEST_F(StayingThreadTest, WhatItStartsRoams) {
  on_a_thread([] {
    const int all = cores_of_this_thread();
    ASSERT_TRUE(StayingThread::here().stay());
    const long pid = clone_process(0);
    if (pid == 0) ::_exit(cores_of_this_thread() == all ? 0 : 1);
    ASSERT_GT(pid, 0);
    int status = -1;
    ASSERT_EQ(::waitpid(static_cast<pid_t>(pid), &status, __WALL), pid);
    EXPECT_EQ(status, 0) << "a process";
    std::promise<int> of_lane;
    Lane lane;
    lane.post([&] { of_lane.set_value(cores_of_this_thread()); });
    EXPECT_EQ(of_lane.get_future().get(), all) << "a lane";
    EXPECT_EQ(cores_of_this_thread(), 1) << "it still stays itself";
    StayingThread::here().roam();
  });
}

TEST_F(StayingThreadTest, DoesNotStayWhereItHasOnlyOneCore) {
  on_a_thread([] {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(::sched_getcpu(), &one);
    ASSERT_EQ(::sched_setaffinity(0, sizeof one, &one), 0);
    EXPECT_FALSE(StayingThread::here().stay());
    EXPECT_FALSE(StayingThread::here().core());
  });
}

}  // namespace
}  // namespace glovebox::base
