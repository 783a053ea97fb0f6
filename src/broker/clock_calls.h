// `sleep`: wakes the guest exactly when it asked to, so that its clock does not depend on how busy the host is.
#pragma once

#include <boost/asio.hpp>
#include <chrono>
#include <map>

#include "broker/call.h"

namespace glovebox::broker {

class ClockCalls : public CallHandler {
 public:
  // The guest's clock showed `start_ms` at `started`.
  ClockCalls(boost::asio::io_context& io, std::chrono::steady_clock::time_point started, std::int64_t start_ms)
      : io_(io), started_(started), start_ms_(start_ms) {}

  std::shared_ptr<BodySink> handle(const Call& call, std::shared_ptr<Answer> answer) override;
  void end(std::function<void()> ended) override;

 private:
  boost::asio::io_context& io_;
  std::chrono::steady_clock::time_point started_;
  std::int64_t start_ms_;
  std::map<std::uint64_t, std::unique_ptr<boost::asio::steady_timer>> sleeps_;
};

}  // namespace glovebox::broker
