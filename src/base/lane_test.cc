#include "base/lane.h"

#include <gtest/gtest.h>

#include <future>
#include <optional>
#include <thread>
#include <vector>

namespace glovebox::base {
namespace {

TEST(Lane, DoesJobsInOrderOnAThreadOfItsOwn) {
  std::vector<int> order;
  std::promise<std::thread::id> where;
  Lane lane;
  for (int i = 0; i < 100; ++i) lane.post([&order, i] { order.push_back(i); });
  lane.post([&] { where.set_value(std::this_thread::get_id()); });
  EXPECT_NE(where.get_future().get(), std::this_thread::get_id());
  ASSERT_EQ(order.size(), 100u);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(order[static_cast<std::size_t>(i)], i);
}

TEST(Lane, DoesNotWaitForAJobThatHangs) {
  const auto hanging = std::make_shared<std::promise<void>>();
  const auto begun = std::make_shared<std::promise<void>>();
  const auto later = std::make_shared<bool>(false);
  const auto finished = std::make_shared<std::promise<void>>();
  std::optional<Lane> lane(std::in_place);
  lane->post([=] {
    begun->set_value();
    hanging->get_future().wait();
    finished->set_value();
  });
  lane->post([=] { *later = true; });
  begun->get_future().wait();
  lane.reset();  // returns although the first job has not
  hanging->set_value();
  finished->get_future().wait();
  EXPECT_FALSE(*later) << "a job that had not begun is dropped";
}

TEST(Lane, ForgetsWhatWaits) {
  std::promise<void> go, begun, end;
  bool dropped_ran = false;
  Lane lane;
  lane.post([&] {
    begun.set_value();
    go.get_future().wait();
  });
  lane.post([&] { dropped_ran = true; });
  begun.get_future().wait();
  lane.drop_waiting();
  lane.post([&] { end.set_value(); });
  go.set_value();
  end.get_future().wait();
  EXPECT_FALSE(dropped_ran);
}

}  // namespace
}  // namespace glovebox::base
