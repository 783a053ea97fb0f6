// Drives a workflow from this terminal until it has ended, or waits for a person and there is no terminal.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <functional>
#include <memory>
#include <string>

#include "assembly/gateway_process.h"
#include "cli/session/terminal_prompt.h"
#include "cli/session/workflow_graph.h"
#include "glovebox/error_word.h"
#include "mcp/json/json_tree.h"

namespace glovebox::cli {

class WorkflowSession {
 public:
  WorkflowSession(WorkspaceFlags where, bool may_ask);

  // `begin` is called with everything in place, and calls follow() or fail() now or later. Gives the exit code.
  int run(const std::function<void(WorkflowSession&)>& begin);

  assembly::GatewayProcess& process() { return *process_; }
  // Shows its events from `after` on; one that is driven here is driven to its end.
  void follow(const std::string& workflow, std::int64_t after = 0);
  // Asks what the workflow waits for, if it does. Without a terminal nothing new begins; once what is under way has
  // come to its end, this says what is waited for, and ends.
  void on_waiting();
  void fail(int exit_code, ErrorWord code, const std::string& message);
  // Nothing more is to be done.
  void done(int exit_code);

 private:
  void await_signal();
  void on_signal();
  Result<void> open();
  void on_event(const store::WorkflowEvent& event);
  void draw();
  void say_what_waits();
  void ask(const mcp::json::object& waits);
  void answer(const mcp::json::object& waits, bool approved, store::Scope scope);
  void on_end();
  void end();

  WorkspaceFlags where_;
  bool may_ask_;
  boost::asio::io_context loop_{1};
  std::unique_ptr<assembly::GatewayProcess> process_;
  std::unique_ptr<TerminalPrompt> terminal_;
  boost::asio::signal_set signals_;
  boost::asio::steady_timer farewell_;
  std::string workflow_;
  std::shared_ptr<workflow::EventFeed> feed_;
  std::unique_ptr<WorkflowGraph> graph_;
  GraphScreen screen_;
  std::string asked_;  // about what, so that the same question is not asked twice
  bool is_asking_ = false;
  int exit_code_ = 0;
  bool draining_ = false;
  bool interrupted_ = false;
  bool ending_ = false;
};

// Of a workflow that has ended: 0, or by what failed first.
int exit_code_of_workflow(const store::WorkflowRecord& record);

}  // namespace glovebox::cli
