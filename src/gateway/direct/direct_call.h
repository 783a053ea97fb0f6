// A run whose program is one call of a tool, made without a guest. Nothing of such a program is an agent's, so there is
// nothing to contain: its arguments are data, and the call takes the same way as a guest's, through the same desk,
// journal and checklist. What is recorded is what a guest would have recorded, so either can go on where the other was.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "broker/call_desk.h"
#include "calls/run_clock.h"
#include "glovebox/sandbox.h"

namespace glovebox::gateway {

// The call as our bridge in a guest would write it.
struct DirectCall {
  std::string tool_name;  // server.tool
  std::string arguments_json;

  // Nothing where it takes a guest: another program, a rehearsal, arguments that a guest would refuse or write in its
  // own way, or a history that it has written otherwise.
  static std::optional<DirectCall> in(const RunRequest& request);
};

// Lives on the thread of `io`.
class DirectRun : public std::enable_shared_from_this<DirectRun> {
 public:
  using Done = std::function<void(Outcome)>;
  DirectRun(std::shared_ptr<boost::asio::io_context> io, RunRequest request, DirectCall call, Done done);

  void start();
  void cancel();

 private:
  broker::CallDesk::Links links();
  void hear(const calls::OutgoingBytes& bytes);
  Ending ending_of_reply(std::string frames);
  Ending ending_of_result(std::string_view json);
  void watch();
  void finish(Ending ending);

  std::shared_ptr<boost::asio::io_context> io_;
  RunRequest request_;
  DirectCall call_;
  Done done_;
  boost::asio::steady_timer watchdog_;
  std::shared_ptr<calls::RunClock> clock_;
  std::shared_ptr<broker::CallDesk> desk_;
  std::chrono::steady_clock::time_point started_{};
  std::string heard_;  // of the answer
  bool too_large_ = false;
  bool finished_ = false;
  Outcome outcome_;
};

}  // namespace glovebox::gateway
