// A run whose program is one tool call, made without a guest. No agent wrote such a program, so there is nothing to
// contain: its arguments are data, and the call goes through the same CallDesk, journal and checklist as a guest's. It
// records what a guest would have recorded, so either can resume where the other stopped.
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

  // Nothing if it takes a guest: another program, a rehearsal, arguments that a guest would refuse or write
  // differently, or a history that a guest has written differently.
  static std::optional<DirectCall> in(const RunRequest& request);
};

// Used on the thread of `io`.
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
  std::string heard_;  // of the reply
  bool too_large_ = false;
  bool finished_ = false;
  Outcome outcome_;
};

}  // namespace glovebox::gateway
