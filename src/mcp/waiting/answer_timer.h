// A timeout for an answer. Time in which the thread did not run does not count: the answer may have arrived, and could
// not be read.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <functional>
#include <memory>

namespace glovebox::mcp {

class AnswerTimer {
 public:
  explicit AnswerTimer(boost::asio::any_io_executor executor);
  // `on_late` is called once, unless the timer is cancelled, restarted or destroyed before.
  void start(std::chrono::milliseconds time, std::function<void()> on_late);
  void cancel() { timer_->cancel(); }

 private:
  using Timer = boost::asio::steady_timer;
  static void wait(const std::shared_ptr<Timer>& timer, Timer::duration time, std::function<void()> on_late);

  std::shared_ptr<Timer> timer_;
};

}  // namespace glovebox::mcp
