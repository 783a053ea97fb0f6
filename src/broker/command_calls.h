// `run`: a granted program, started for the guest, and its output.
#pragma once

#include <boost/asio.hpp>

#include "broker/call.h"
#include "broker/command_runner.h"

namespace glovebox::broker {

class CommandCalls : public CallHandler {
 public:
  CommandCalls(boost::asio::io_context& io, CommandRules rules) : runner_(io, std::move(rules)) {}

  std::shared_ptr<BodySink> handle(const Call& call, std::shared_ptr<Answer> answer) override;
  void end(std::function<void()> ended) override;

 private:
  CommandRunner runner_;
  std::size_t at_work_ = 0;
  std::function<void()> when_idle_;
};

}  // namespace glovebox::broker
