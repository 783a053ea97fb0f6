#include "cli/exec_with_tools/exec_with_tools.h"

#include <unistd.h>

#include <cstdio>

#include "base/text/comma_list.h"
#include "base/text/log_text.h"
#include "base/try.h"
#include "calls/artifacts/artifact_kind.h"
#include "capability/calls/remote_gateway.h"
#include "cli/exec/artifact_files.h"
#include "cli/exec/exec_request.h"
#include "cli/session/ended_run.h"
#include "cli/session/terminal_run.h"
#include "mcp/json/json_tree.h"
#include "terminal/exit_codes.h"
#include "terminal/outcome_view.h"
#include "terminal/progress_line.h"
#include "workspace/report.h"

namespace glovebox::cli {
namespace {

// What code has emitted at a remote gateway is kept there.
void note_remote_artifacts(std::string_view outcome_json, const std::string& remote) {
  const auto outcome = mcp::parse_object(outcome_json);
  const auto* emitted = outcome ? mcp::array_member(*outcome, "artifacts") : nullptr;
  std::vector<std::string> names;
  for (const auto& one : emitted ? *emitted : mcp::json::array()) {
    const auto name = one.is_object() ? mcp::string_member(one.get_object(), "name") : std::nullopt;
    if (name && !calls::why_no_artifact_name(*name)) names.push_back(*name);
  }
  if (names.empty()) return;
  const std::string run = base::neutralise(mcp::string_member(*outcome, "run_id").value_or(""));
  print_note("emitted at the gateway " + remote + ", where they are kept: " + base::comma_list(names) +
             "; see them there with: glovebox runs artifacts " + run);
}

class ToolExec {
 public:
  explicit ToolExec(const ExecOptions& options) : options_(options), run_(options.json) {}

  int run() {
    if (const auto started = start(); !started) return report_usage_error(started.failure().message, options_.json);
    return run_.loop([this] { return id_; });
  }

 private:
  Result<void> start() {
    ExecRequest exec = GLOVEBOX_TRY(make_exec_request(options_));
    assembly::GatewayProcessOptions options;
    options.workspace = GLOVEBOX_TRY(open_workspace_to_serve({.config = options_.config}));
    // A file that is merely present connects nothing.
    if (options_.config.empty()) {
      options.workspace.config.servers.clear();
      options.has_published_code = false;
    }
    options.typed_config = exec.run.config;
    options.sandbox.on_progress = progress_on_terminal();
    options.sandbox.degraded = split_names(options_.degraded);
    options.without_cache = options_.no_cache;
    if (options_.privacy) options.privacy = privacy::Mode::kTokenize;
    options.no_pii_protection = options_.no_pii_protection;
    GLOVEBOX_TRY_VOID(run_.open(std::move(options)));

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
    // A chosen seed or clock asks for a fresh run with exactly these.
    request.may_be_cached = !request.seed && !request.now_ms;
    request.check = check_mode_named(options_.check).value_or(run_.process().check_mode());
    return options_.remote ? send(std::move(request)) : execute(std::move(request));
  }

  Result<void> execute(gateway::ExecuteRequest request) {
    gateway::RunEvents events;
    run_.on_log(events);
    events.on_waiting = [this](const gateway::ApprovalRequest& approval) { run_.on_waiting(approval); };
    events.on_end = [this](const gateway::RunEnd& end) { on_end(end); };
    id_ = GLOVEBOX_TRY(run_.process().gateway().execute(std::move(request), std::move(events)));
    return {};
  }

  // To the remote gateway, which runs it or hands it back.
  Result<void> send(gateway::ExecuteRequest request) {
    capability::RemoteGateway* const remote = run_.process().remote();
    if (!remote)
      return Failure{ErrorCode::kInvalidArgument, "--remote needs a config that names a remote gateway (\"remote\")"};
    capability::RemoteCode code = capability::code_to_send(request);
    catalog::CallOptions options;
    options.on_progress = [](double, std::optional<double>, std::string_view message) {
      if (!message.empty()) print_note(message);
    };
    // Without a person at a terminal to interrupt the wait, the command reports that the run waits, and ends.
    using Approval = capability::RemoteGateway::Approval;
    remote->execute(
        std::move(code), std::move(options),
        [this, request = std::move(request)](capability::RemoteAnswer answer) mutable {
          on_remote_answer(answer, std::move(request));
        },
        ::isatty(STDIN_FILENO) && ::isatty(STDERR_FILENO) ? Approval::kWait : Approval::kTell);
    return {};
  }

  void on_remote_answer(const capability::RemoteAnswer& answer, gateway::ExecuteRequest request) {
    if (answer.failure) {
      const bool refused = answer.failure->code == "REMOTE_CODE_CHANGED";
      return run_.fail(refused ? static_cast<int>(kPolicyDenied) : exit_code_of(*answer.failure), *answer.failure);
    }
    if (answer.outcome) {
      run_.set_exit_code(kOk);
      const std::string shown(options_.json ? answer.outcome->json : answer.result->json);
      print_json(run_.process().privacy()->filter()->json(shown).text);
      note_remote_artifacts(answer.outcome->json, run_.process().remote()->name());
      return run_.end();
    }
    request.report_to = answer.workflow_id;
    request.check = CheckMode::kOff;
    request.may_be_cached = false;
    if (const auto started = execute(std::move(request)); !started)
      run_.fail(kCodeFailed, "NOT_STARTED", started.failure().message);
  }

  void on_end(const gateway::RunEnd& ended) {
    const ShownRun shown{code_, name_, options_.json, options_.grants.commit};
    int exit_code = show_ended_run(ended, shown, *run_.process().privacy()->filter());
    const bool saved = !ended.outcome || settle_artifacts(ended.outcome->artifacts, options_.artifacts,
                                                          "see them with: glovebox runs artifacts " + ended.run);
    if (!saved && exit_code == kOk) exit_code = kCodeFailed;
    run_.set_exit_code(exit_code);
    run_.end();
  }

  ExecOptions options_;
  TerminalRun run_;
  std::string id_;
  std::string code_;
  std::string name_;
};

}  // namespace

int run_exec_with_tools(const ExecOptions& options) {
  return ToolExec(options).run();
}

}  // namespace glovebox::cli
