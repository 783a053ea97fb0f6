// `tool`: calls of the host's tools. Arguments and results are passed on as the JSON text that came.
#pragma once

#include <boost/asio/io_context.hpp>
#include <chrono>
#include <cstddef>
#include <memory>

#include "calls/call.h"
#include "calls/run_clock.h"
#include "glovebox/tools.h"

namespace glovebox::calls {

struct ToolLimits {
  std::chrono::milliseconds time_limit{30'000};  // of one call, without the time for approval
  std::size_t max_calls = 1000;                  // of the whole run
};

class ToolCalls : public CallHandler {
 public:
  // Without a host every call fails. A tool call stops `clock`'s time of the code's own work; asking a person stops all
  // of its limits.
  ToolCalls(std::shared_ptr<boost::asio::io_context> io, std::shared_ptr<ToolHost> host, ToolLimits rules,
            std::shared_ptr<RunClock> clock);
  ~ToolCalls() override;

  std::shared_ptr<BodySink> handle(const Call& call, std::shared_ptr<Answer> answer) override;
  Recalled recall(const Call& call, std::shared_ptr<Answer> answer, const replay::RecordedReply* reply) override;
  void end(std::function<void()> ended) override;

 private:
  friend struct glovebox::ToolAnswer::State;
  class Book;
  std::shared_ptr<Book> book_;
};

}  // namespace glovebox::calls
