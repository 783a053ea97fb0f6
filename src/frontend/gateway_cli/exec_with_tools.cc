#include "frontend/gateway_cli/exec_with_tools.h"

#include <signal.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cstdio>

#include "base/try.h"
#include "frontend/cli/exec_request.h"
#include "frontend/cli/exit_codes.h"
#include "frontend/cli/outcome_view.h"
#include "frontend/gateway_cli/terminal_prompt.h"
#include "frontend/mcp_tools/run_reply.h"
#include "frontend/serve/gateway_process.h"

namespace glovebox::frontend {
namespace {

// Time for upstream servers to end by themselves.
constexpr std::chrono::milliseconds kFarewell{200};

class ToolExec {
 public:
  explicit ToolExec(const ExecOptions& options) : options_(options), signals_(loop_), farewell_(loop_) {}

  int run() {
    ::signal(SIGPIPE, SIG_IGN);
    if (const auto started = start(); !started) return report_usage_error(started.failure().message, options_.json);
    signals_.add(SIGINT);
    signals_.add(SIGTERM);
    signals_.async_wait([this](auto error, int) {
      if (error) return;
      interrupted_ = true;
      (void)process_->gateway().cancel_run(run_);
    });
    loop_.run();
    return finish_output(interrupted_ ? static_cast<int>(kInterrupted) : exit_code_);
  }

 private:
  Result<void> start() {
    ExecRequest exec = GLOVEBOX_TRY(make_exec_request(options_));
    GatewayProcessOptions options;
    options.workspace = GLOVEBOX_TRY(open_workspace({.config = options_.config}));
    options.sandbox.pool_size = 0;
    options.sandbox.warm_typescript = false;
    options.sandbox.degraded = split_names(options_.degraded);
    options.on_notice = [](const std::string& text) { std::fprintf(stderr, "note: %s\n", text.c_str()); };
    options.sandbox.on_notice = options.on_notice;
    process_ = GLOVEBOX_TRY(GatewayProcess::open(loop_.get_executor(), std::move(options)));
    terminal_ = TerminalPrompt::open(loop_.get_executor());

    code_ = exec.run.code;
    name_ = exec.run.name;
    gateway::ExecuteRequest request;
    request.code = std::move(exec.run.code);
    request.language = exec.run.language;
    request.name = std::move(exec.run.name);
    request.context_json = std::move(exec.run.context_json);
    request.config = std::move(exec.run.config);
    request.seed = std::move(exec.run.seed);
    request.now_ms = exec.run.now_ms;
    request.client = "exec";
    gateway::RunEvents events;
    if (!options_.json) events.on_log = [](const LogLine& line) { std::fprintf(stderr, "%s\n", line.text.c_str()); };
    events.on_waiting = [this](const gateway::ApprovalCard& card) { on_waiting(card); };
    events.on_end = [this](const gateway::RunEnd& end) { on_end(end); };
    run_ = GLOVEBOX_TRY(process_->gateway().execute(std::move(request), std::move(events)));
    return {};
  }

  void on_waiting(const gateway::ApprovalCard& card) {
    if (terminal_) {
      return terminal_->ask(card, [this](const gateway::ApprovalAnswer& answer) {
        if (const auto receipt = process_->gateway().answer(answer); !receipt) {
          std::fprintf(stderr, "note: %s\n", receipt.failure().message.c_str());
        }
      });
    }
    if (exit_code_ == kWaiting) return;
    exit_code_ = kWaiting;
    if (options_.json) std::puts(approval_required(card).c_str());
    std::fprintf(
        stderr,
        "%s\nglovebox: a person must approve this, and there is no terminal to ask on. The run waits in this "
        "workspace:\n  glovebox approvals approve %s\n  glovebox serve, or another exec, then goes on with it\n",
        card_text(card).c_str(), card.id.c_str());
    end();
  }

  void on_end(const gateway::RunEnd& ended) {
    if (!ended.outcome) {
      if (options_.json) std::puts(ended.outcome_json.c_str());
      exit_code_ = kCodeFailed;
      return end();
    }
    Outcome outcome = *ended.outcome;
    settle_changes(outcome, options_.grants.commit);
    exit_code_ = exit_code_of(outcome);
    if (options_.json) {
      std::puts(to_json(outcome).c_str());
    } else {
      print_for_people(outcome, code_, name_);
    }
    end();
  }

  void end() {
    signals_.cancel();
    process_->close();
    terminal_.reset();
    farewell_.expires_after(kFarewell);
    farewell_.async_wait([this](auto) { loop_.stop(); });
  }

  ExecOptions options_;
  boost::asio::io_context loop_{1};
  std::unique_ptr<GatewayProcess> process_;
  std::unique_ptr<TerminalPrompt> terminal_;
  boost::asio::signal_set signals_;
  boost::asio::steady_timer farewell_;
  std::string run_;
  std::string code_;
  std::string name_;
  int exit_code_ = kCodeFailed;
  bool interrupted_ = false;
};

}  // namespace

int run_exec_with_tools(const ExecOptions& options) {
  return ToolExec(options).run();
}

}  // namespace glovebox::frontend
