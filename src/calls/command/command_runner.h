// Runs the commands of one run: checks the grant, starts the program, collects its output, and sees to its end.
// Everything here belongs to the loop thread.
#pragma once

#include <boost/asio/io_context.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/unique_fd.h"
#include "calls/command/command.h"
#include "calls/command/command_environment.h"
#include "policy/env_grants.h"
#include "policy/run_grants.h"
#include "wire/limits.h"

namespace glovebox::calls {

struct CommandRules {
  policy::RunGrants programs;
  policy::EnvGrants names;
  Environment environment;  // the gateway's own, of which the grants show a part

  std::optional<std::chrono::steady_clock::time_point> deadline;  // of the whole run
  std::chrono::milliseconds time_limit = wire::kMaxCommandTime;
  std::size_t max_output_bytes = wire::kMaxCommandOutputBytes;    // of each stream
  std::size_t max_held_bytes = wire::kMaxHeldCommandOutputBytes;  // of all commands at work
  std::size_t max_at_once = wire::kMaxCommandsAtOnce;             // the others wait in line
};

class CommandRunner {
 public:
  using Done = std::function<void(CommandResult<CommandOutput>)>;

  CommandRunner(boost::asio::io_context& io, CommandRules rules);
  // Kills what still works. Its `done` is not called any more.
  ~CommandRunner();  // NOLINT(bugprone-exception-escape)
  CommandRunner(const CommandRunner&) = delete;
  CommandRunner& operator=(const CommandRunner&) = delete;

  // `done` is called once, later, on the loop: when the program has ended and nothing that it has started is left, or
  // with the reason why there is no output.
  void run(CommandRequest request, Done done);

  // Ends all commands with kCancelled, those in line and those at work. Later ones run as usual.
  void cancel();

 private:
  class Job;
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace glovebox::calls
