// Runs the commands of one run: checks the grant, starts the program, collects its output, and makes sure that it ends.
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
  Environment environment;  // the gateway's own; the grants expose a part of it

  std::optional<std::chrono::steady_clock::time_point> deadline;  // of the whole run
  std::chrono::milliseconds time_limit = wire::kMaxCommandTime;
  std::size_t max_output_bytes = wire::kMaxCommandOutputBytes;    // of each stream
  std::size_t max_held_bytes = wire::kMaxHeldCommandOutputBytes;  // of all running commands
  std::size_t max_at_once = wire::kMaxCommandsAtOnce;             // the others are queued
};

class CommandRunner {
 public:
  using Done = std::function<void(CommandResult<CommandOutput>)>;

  CommandRunner(boost::asio::io_context& io, CommandRules rules);
  // Kills commands that still run, without calling their `done`.
  ~CommandRunner();  // NOLINT(bugprone-exception-escape)
  CommandRunner(const CommandRunner&) = delete;
  CommandRunner& operator=(const CommandRunner&) = delete;

  // `done` is called once, later, on the loop: when the program has ended and nothing that it started is left, or with
  // the reason why there is no output.
  void run(CommandRequest request, Done done);

  // Ends all commands, queued and running, with kCancelled. Later ones run as usual.
  void cancel();

 private:
  class Job;
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace glovebox::calls
