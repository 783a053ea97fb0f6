#include "base/threads/job_thread.h"

#include <gtest/gtest.h>
#include <poll.h>

#include <future>
#include <vector>

namespace glovebox::base {
namespace {

using namespace std::chrono_literals;

constexpr std::chrono::milliseconds kNeverIdle = 1h;

TEST(JobThread, DoesJobsInOrderOnAThreadOfItsOwn) {
  std::vector<int> order;
  std::promise<std::thread::id> where;
  JobThread thread({200, kNeverIdle, [] {}});
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(thread.post([&order, i] { order.push_back(i); }));
  EXPECT_TRUE(thread.post([&] { where.set_value(std::this_thread::get_id()); }));
  EXPECT_NE(where.get_future().get(), std::this_thread::get_id());
  ASSERT_EQ(order.size(), 100u);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(order[static_cast<std::size_t>(i)], i);
}

TEST(JobThread, RefusesMoreThanMayWait) {
  std::promise<void> begun, go;
  JobThread thread({1, kNeverIdle, [] {}});
  EXPECT_TRUE(thread.post([&] {
    begun.set_value();
    go.get_future().wait();
  }));
  begun.get_future().wait();
  EXPECT_TRUE(thread.post([] {}));
  EXPECT_FALSE(thread.post([] { ADD_FAILURE() << "it was refused"; }));
  go.set_value();
}

TEST(JobThread, RestsWhenItIsIdleAndDoesJobsAfterThat) {
  std::promise<void> rested, done;
  int rests = 0;
  JobThread thread({1, 1ms, [&] {
                      if (++rests == 1) rested.set_value();
                    }});
  EXPECT_TRUE(thread.post([] {}));
  rested.get_future().wait();
  EXPECT_TRUE(thread.post([&] { done.set_value(); }));
  done.get_future().wait();
}

TEST(JobThread, TellsTheJobThatHasBegunToEndAndDropsTheRest) {
  std::promise<void> begun;
  bool was_ending = false;
  std::thread::id worker, rested;
  {
    JobThread thread({10, kNeverIdle, [&] { rested = std::this_thread::get_id(); }});
    EXPECT_TRUE(thread.post([&] {
      worker = std::this_thread::get_id();
      begun.set_value();
      pollfd stop{thread.stop(), POLLIN, 0};
      EXPECT_EQ(::poll(&stop, 1, -1), 1);
      was_ending = thread.is_ending();
    }));
    EXPECT_TRUE(thread.post([] { ADD_FAILURE() << "it had not begun"; }));
    begun.get_future().wait();
    EXPECT_FALSE(thread.is_ending());
  }
  EXPECT_TRUE(was_ending);
  EXPECT_EQ(rested, worker) << "what it has is given up on the thread, before it ends";
}

TEST(JobThread, StartsWithItsFirstJob) {
  bool has_rested = false;
  {
    JobThread thread({1, 1ms, [&] { has_rested = true; }});
    thread.end();
    EXPECT_FALSE(thread.post([] {}));
  }
  EXPECT_FALSE(has_rested);
}

}  // namespace
}  // namespace glovebox::base
