// A run that was started on a command line, with its gateway. Approval requests are asked on the terminal, or reported
// where there is none; an interrupt cancels the run; when it has ended, servers get a moment to end.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "assembly/gateway_process.h"
#include "cli/session/terminal_prompt.h"
#include "glovebox/error_word.h"

namespace glovebox::cli {

class TerminalRun {
 public:
  explicit TerminalRun(bool json);

  // Notes of the gateway and the sandbox go to standard error.
  Result<void> open(assembly::GatewayProcessOptions options);
  // Runs until end(). `run` is called for the run's id on an interrupt; empty: there is none yet. The exit code.
  int loop(std::function<std::string()> run);
  void end();

  // For RunEvents. Without a terminal it says how the run is resumed, and ends, once calls beside it have come to their
  // end.
  void on_waiting(const gateway::ApprovalRequest& request);
  void on_log(gateway::RunEvents& events);

  boost::asio::io_context& io() { return loop_; }
  assembly::GatewayProcess& process() { return *process_; }
  TerminalPrompt* terminal() { return terminal_.get(); }
  bool json() const { return json_; }
  void set_exit_code(int code) { exit_code_ = code; }
  void fail(int exit_code, ErrorWord code, const std::string& message);
  void fail(int exit_code, const catalog::CallFailure& failure);

 private:
  void leave_when_quiet(std::chrono::steady_clock::time_point latest);

  bool json_;
  boost::asio::io_context loop_{1};
  std::unique_ptr<assembly::GatewayProcess> process_;
  std::unique_ptr<TerminalPrompt> terminal_;
  std::unique_ptr<privacy::LineFilter> lines_;  // what people read has passed the filter too
  boost::asio::signal_set signals_;
  boost::asio::steady_timer quiet_;
  boost::asio::steady_timer farewell_;
  std::optional<gateway::ApprovalRequest> waits_for_;  // and there is no terminal to ask on
  int exit_code_;
  bool interrupted_ = false;
  bool ending_ = false;
};

}  // namespace glovebox::cli
