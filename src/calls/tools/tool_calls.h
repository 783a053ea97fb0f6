// `tool`: calls of the host's tools. The arguments go there as the text that came, and what comes back goes to the
// guest as it lies in memory; neither is ever a tree.
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
  std::chrono::milliseconds time_limit{30'000};  // of one call, without the time that a person takes
  std::size_t max_calls = 1000;                  // of the whole run
};

class ToolCalls : public CallHandler {
 public:
  // Without a host every call fails. Of `clock`, the time of the code's own work stands still while a tool is called,
  // and all of it while a person is asked.
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
