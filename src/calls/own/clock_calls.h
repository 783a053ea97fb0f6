// `sleep`: the guest wakes with its clock at exactly the time that it asked for, however busy the host is.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <map>
#include <memory>

#include "calls/call.h"
#include "calls/run_clock.h"

namespace glovebox::calls {

class ClockCalls : public CallHandler {
 public:
  ClockCalls(boost::asio::io_context& io, std::shared_ptr<const RunClock> clock) : io_(io), clock_(std::move(clock)) {}

  std::shared_ptr<BodySink> handle(const Call& call, std::shared_ptr<Answer> answer) override;
  void end(std::function<void()> ended) override;

 private:
  boost::asio::io_context& io_;
  std::shared_ptr<const RunClock> clock_;
  std::map<std::uint64_t, std::unique_ptr<boost::asio::steady_timer>> sleeps_;
};

}  // namespace glovebox::calls
