#include "cli/runs/resume_run.h"

#include <boost/asio/post.hpp>

#include "cli/session/ended_run.h"
#include "cli/session/terminal_run.h"
#include "terminal/exit_codes.h"
#include "workspace/report.h"

namespace glovebox::cli {
namespace {

class ResumedRun {
 public:
  explicit ResumedRun(const ResumeRunOptions& options) : options_(options), run_(options.where.json) {}

  int run() {
    assembly::GatewayProcessOptions process;
    auto workspace = open_workspace(options_.where);
    if (!workspace) return fail_usage(workspace.failure().message, options_.where.json);
    process.workspace = std::move(workspace).value();
    if (const auto opened = run_.open(std::move(process)); !opened)
      return fail_with(kUnreachable, "STORE_UNAVAILABLE", opened.failure().message, options_.where.json);
    boost::asio::post(run_.io(), [this] { resume(); });
    // An interrupt leaves the run as it is: it was there before this command.
    return run_.loop([] { return std::string(); });
  }

 private:
  void resume() {
    gateway::Gateway& gateway = run_.process().gateway();
    const auto record = gateway.get_run(options_.run);
    if (!record) return run_.fail(kUnreachable, "STORE_UNAVAILABLE", record.failure().message);
    if (!record.value()) return run_.fail(kUsage, "NOT_FOUND", "there is no run " + options_.run);
    const ShownRun shown{record.value()->code, record.value()->name, options_.where.json, options_.commit};
    gateway::RunEvents events;
    run_.on_log(events);
    events.on_waiting = [this](const gateway::ApprovalRequest& request) { run_.on_waiting(request); };
    events.on_end = [this, shown](const gateway::RunEnd& end) {
      run_.set_exit_code(show_ended_run(end, shown, *run_.process().privacy()->filter()));
      run_.end();
    };
    gateway.follow(options_.run, "", events, [this](const Result<bool>& followed) {
      if (!followed) return run_.fail(kUnreachable, "STORE_UNAVAILABLE", followed.failure().message);
      if (!*followed) run_.fail(kUsage, "NOT_FOUND", "there is no run " + options_.run);
    });
  }

  ResumeRunOptions options_;
  TerminalRun run_;
};

}  // namespace

int resume_run(const ResumeRunOptions& options) {
  return ResumedRun(options).run();
}

}  // namespace glovebox::cli
