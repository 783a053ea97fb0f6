#include "mcp/waiting/answer_timer.h"

#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <thread>

namespace glovebox::mcp {
namespace {

TEST(AnswerTimer, SaysWhenTheTimeIsUp) {
  boost::asio::io_context loop;
  AnswerTimer timer(loop.get_executor());
  bool late = false;
  timer.start(std::chrono::milliseconds(1), [&] { late = true; });
  loop.run();
  EXPECT_TRUE(late);
}

TEST(AnswerTimer, ACancelledOneSaysNothing) {
  boost::asio::io_context loop;
  AnswerTimer timer(loop.get_executor());
  timer.start(std::chrono::milliseconds(1), [] { FAIL(); });
  timer.cancel();
  loop.run();
}

// What arrived meanwhile is read before the timeout.
TEST(AnswerTimer, TimeInWhichNobodyCouldReadDoesNotCount) {
  boost::asio::io_context loop;
  AnswerTimer timer(loop.get_executor());
  bool late = false;
  timer.start(std::chrono::minutes(10), [] { FAIL(); });
  timer.start(std::chrono::milliseconds(10), [&] { late = true; });
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  loop.run_one();  // the first, which was restarted
  loop.run_one();
  EXPECT_FALSE(late);
  loop.run();
  EXPECT_TRUE(late);
}

}  // namespace
}  // namespace glovebox::mcp
