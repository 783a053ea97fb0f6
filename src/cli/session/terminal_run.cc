#include "cli/session/terminal_run.h"

#include <signal.h>

#include <boost/asio/post.hpp>
#include <cstdio>

#include "agent_tools/run_reply.h"
#include "base/try.h"
#include "gateway/approvals/approval_text.h"
#include "store/database/patience.h"
#include "terminal/exit_codes.h"
#include "terminal/outcome_view.h"
#include "workspace/report.h"

namespace glovebox::cli {
namespace {

// Time for upstream servers to end by themselves.
constexpr std::chrono::milliseconds kRunFarewell{200};
// For calls that are under way when no person can be asked; as long as a tool has for an answer.
constexpr std::chrono::seconds kQuietTime{30};
constexpr std::chrono::milliseconds kQuietPollInterval{20};

}  // namespace

TerminalRun::TerminalRun(bool json)
    : json_(json), signals_(loop_), quiet_(loop_), farewell_(loop_), exit_code_(kCodeFailed) {}

Result<void> TerminalRun::open(assembly::GatewayProcessOptions options) {
  ::signal(SIGPIPE, SIG_IGN);
  options.on_notice = [](const std::string& text) { print_note("note: " + text); };
  options.sandbox.on_notice = options.on_notice;
  options.sandbox.pool_size = 0;
  options.sandbox.warm_typescript = false;
  process_ = GLOVEBOX_TRY(assembly::GatewayProcess::open(loop_.get_executor(), std::move(options)));
  lines_ = std::make_unique<privacy::LineFilter>(process_->privacy()->filter());
  terminal_ = TerminalPrompt::open(loop_.get_executor());
  return {};
}

int TerminalRun::loop(std::function<std::string()> run) {
  signals_.add(SIGINT);
  signals_.add(SIGTERM);
  signals_.async_wait([this, run = std::move(run)](auto error, int) {
    if (error) return;
    interrupted_ = true;
    const std::string id = run();
    if (id.empty()) return end();
    process_->gateway().cancel_run(id);
  });
  const store::NoPatience hurried;  // the loop serves others, too
  loop_.run();
  return finish_output(interrupted_ ? static_cast<int>(kInterrupted) : exit_code_);
}

void TerminalRun::on_log(gateway::RunEvents& events) {
  if (json_) return;
  events.on_log = [this](const LogLine& line) { std::fprintf(stderr, "%s\n", lines_->text(line.text).c_str()); };
}

void TerminalRun::on_waiting(const gateway::ApprovalRequest& request) {
  if (terminal_) {
    return terminal_->ask(request, [this, waiting = request.run](const gateway::ApprovalAnswer& answer) {
      process_->gateway().answer(answer, waiting, [](const Result<void>& given) {
        if (!given) print_note(given.failure().message);
      });
    });
  }
  if (waits_for_) return;
  waits_for_ = request;
  leave_when_quiet(std::chrono::steady_clock::now() + kQuietTime);
}

// What is cut short now could neither be made again nor known to have happened.
void TerminalRun::leave_when_quiet(std::chrono::steady_clock::time_point latest) {
  if (ending_) return;
  const gateway::ApprovalRequest request = *waits_for_;
  const auto pending = process_->gateway().pending_ids(request.run);
  if (pending && pending.value().empty()) return waits_for_.reset();  // answered meanwhile
  if (!process_->gateway().is_quiet() && std::chrono::steady_clock::now() < latest) {
    quiet_.expires_after(kQuietPollInterval);
    return quiet_.async_wait([this, latest](auto error) {
      if (!error) leave_when_quiet(latest);
    });
  }
  exit_code_ = kWaiting;
  if (json_) std::puts(agent_tools::approval_required(request, gateway::approval_text(request)).c_str());
  std::fprintf(stderr,
               "%s\nglovebox: a person must approve this, and there is no terminal to ask on. The run waits in this "
               "workspace. After its owner has answered %s, resume it with:\n  glovebox runs resume %s\n",
               gateway::approval_text(request).c_str(), request.id.c_str(), request.run.c_str());
  end();
}

void TerminalRun::fail(int exit_code, ErrorWord code, const std::string& message) {
  fail(exit_code, {code, message});
}

void TerminalRun::fail(int exit_code, const catalog::CallFailure& failure) {
  exit_code_ = fail_with(exit_code, failure, json_);
  end();
}

void TerminalRun::end() {
  if (std::exchange(ending_, true)) return;
  quiet_.cancel();
  // Not from within the end of the run: what is written about that follows. A remote gateway that handed the code back
  // gets its report before the connection is closed.
  boost::asio::post(loop_, [this] {
    process_->after_reports([this] {
      signals_.cancel();
      process_->close();
      terminal_.reset();
      farewell_.expires_after(kRunFarewell);
      farewell_.async_wait([this](auto) { loop_.stop(); });
    });
  });
}

}  // namespace glovebox::cli
