#include "frontend/gateway_cli/runs_command.h"

#include <memory>

#include "base/json_text.h"
#include "frontend/cli/command.h"
#include "frontend/cli/exit_codes.h"
#include "frontend/gateway_cli/case_file.h"
#include "frontend/gateway_cli/report.h"
#include "frontend/gateway_cli/runs_workflows.h"
#include "frontend/gateway_cli/with_store.h"
#include "frontend/gateway_cli/workspace.h"
#include "gateway/liveness.h"
#include "gateway/poke.h"

namespace glovebox::frontend {
namespace {

struct RunsOptions {
  WorkspaceFlags where;
  std::string id;
  std::string status;
  std::size_t most = 50;
};

int no_such_run(const RunsOptions& options) {
  return fail_with(kUsage, "NOT_FOUND", "there is no run " + options.id, options.where.json);
}

std::string record_summary(const store::RunRecord& run) {
  return R"("id":)" + json_text(run.id) + R"(,"status":)" + json_text(name_of(run.status)) + R"(,"created":)" +
         std::to_string(run.created) + R"(,"ended":)" + (run.ended ? std::to_string(*run.ended) : "null") +
         R"(,"client":)" + json_text(run.client) + R"(,"intent":)" + json_text(run.intent) + R"(,"language":)" +
         json_text(run.language);
}

int list_stored_runs(const RunsOptions& options) {
  const bool json = options.where.json;
  std::optional<store::RunStatus> status;
  if (!options.status.empty() && !(status = store::run_status_of(options.status))) {
    return fail_usage("--status is running, waiting, finished, failed or cancelled", json);
  }
  return with_store(options.where, fail_to_look, [&](const Workspace&, store::Store* store) -> int {
    std::vector<store::RunRecord> runs;
    if (store) {
      auto found = store->list_runs(status, options.most);
      if (!found) return fail_to_look(found.failure(), json);
      runs = std::move(found).value();
    }
    const std::string workflows = store && !status ? workflow_lines(*store, options.most, json) : std::string();
    if (!json && !workflows.empty()) print_line(workflows.substr(0, workflows.size() - 1));
    std::string out = R"({"ok":true,"workflows":[)" + (json ? workflows : "") + R"(],"runs":[)";
    for (const store::RunRecord& run : runs) {
      out += (out.back() == '[' ? "{" : ",{") + record_summary(run) + "}";
      if (!json) {
        print_line(run.id + "\t" + std::string(name_of(run.status)) + "\t" + age_of(run.created) + "\t" +
                   first_line(run.intent, 60));
      }
    }
    if (json) print_json(out + "]}");
    if (!json && runs.empty() && workflows.empty()) print_line("No runs.");
    return kOk;
  });
}

// `with` gets the run that was named, with where it is. Without one, that is said.
template <typename With>
int with_run(const RunsOptions& options, With with) {
  return with_store(options.where, fail_to_look, [&](const Workspace& workspace, store::Store* store) -> int {
    if (!store) return no_such_run(options);
    const auto run = store->find_run(options.id);
    if (!run) return fail_to_look(run.failure(), options.where.json);
    if (!run.value()) return no_such_run(options);
    return with(options, workspace, *store, *run.value());
  });
}

int show_run(const RunsOptions& options, const Workspace& workspace, store::Store& store,
             const store::RunRecord& record) {
  const bool json = options.where.json;
  const auto pending = store.approvals(options.id, true);
  if (!pending) return fail_to_look(pending.failure(), json);
  const bool alive = gateway::owner_lives(store, workspace.state_folder, record.owner);
  if (json) {
    std::string out = R"({"ok":true,)" + record_summary(record) + R"(,"code":)" + json_text(record.code) +
                      R"(,"context":)" + record.context + R"(,"gatewayRuns":)" + (alive ? "true" : "false") +
                      R"(,"waitsFor":[)";
    for (const auto& approval : pending.value()) out += (out.back() == '[' ? "" : ",") + json_text(approval.id);
    print_json(out + R"(],"outcome":)" + (record.outcome.empty() ? "null" : record.outcome) + "}");
    return kOk;
  }
  print_line(record.id + ", " + std::string(name_of(record.status)) + ", begun " + age_of(record.created) + " ago by " +
             (record.client.empty() ? "somebody" : record.client));
  if (!record.intent.empty()) print_line("meant for: " + record.intent);
  for (const auto& approval : pending.value()) print_line("waits for approval " + approval.id);
  if (!has_ended(record.status) && !alive)
    print_line("no gateway runs it now; go on with: glovebox runs resume " + record.id);
  print_line("\n" + record.code);
  if (!record.outcome.empty()) print_line("\n" + base::pretty_json(record.outcome));
  return kOk;
}

int record_run(const RunsOptions& options, const Workspace&, store::Store& store, const store::RunRecord& run) {
  const bool json = options.where.json;
  if (!has_ended(run.status)) return fail_usage("run " + options.id + " has not ended yet", json);
  const auto recording = store.find_recording(options.id);
  if (!recording) return fail_to_look(recording.failure(), json);
  if (!recording.value()) {
    return fail_usage(
        "run " + options.id +
            " is not recorded: it was cancelled or never began, its result came from the cache, what it was told is "
            "beyond 1 MB, or store.recordRuns is false",
        json);
  }
  const auto made = make_case(run, *recording.value());
  if (!made) return fail_with(kToolFailed, "DAMAGED", made.failure().message, json);
  if (json) {
    print_json(made.value());
  } else {
    print_json(base::pretty_json(made.value()));
  }
  return kOk;
}

int cancel_stored_run(const RunsOptions& options, const Workspace& workspace, store::Store& store,
                      const store::RunRecord& run) {
  const bool json = options.where.json;
  const auto asked = store.ask_to_cancel(options.id);
  if (!asked) return fail_to_look(asked.failure(), json);
  if (!asked.value()) return fail_with(kToolFailed, "CONFLICT", "run " + options.id + " has ended already", json);
  gateway::poke(workspace.state_folder, run.owner);
  if (json) {
    print_json(R"({"ok":true,"run":)" + json_text(options.id) + "}");
  } else {
    print_line("Run " + options.id + " is being cancelled.");
  }
  return kOk;
}

int show_run_or_workflow(const RunsOptions& options) {
  if (!is_workflow(options.id)) return with_run(options, show_run);
  return with_store(options.where, fail_to_look, [&](const Workspace& workspace, store::Store* store) -> int {
    if (!store) return no_such_run(options);
    return show_workflow(*store, options.id, workspace.state_folder, options.where.json);
  });
}

int cancel(const RunsOptions& options) {
  return with_run(options, cancel_stored_run);
}

int record(const RunsOptions& options) {
  return with_run(options, record_run);
}

}  // namespace

void add_runs_command(Command& app) {
  const auto options = std::make_shared<RunsOptions>();
  Command* command = app.add_subcommand("runs", "Show runs and workflows of this workspace, and direct workflows");
  command->require_subcommand();
  const auto add = [&](const char* name, const char* what, int (*run)(const RunsOptions&)) {
    Command* inner = command->add_subcommand(name, what);
    add_workspace_flags(*inner, options->where);
    inner->runs([options, run] { return run(*options); });
    return inner;
  };
  Command* listing = add("ls", "Show them, the newest first", list_stored_runs);
  listing->add_option("--status", options->status, "running, waiting, finished, failed or cancelled")
      ->type_name("STATUS");
  listing->add_option("--limit", options->most, "At most so many (50)")->type_name("N");
  for (Command* inner :
       {add("show", "Show one, with its code and outcome", show_run_or_workflow), add("cancel", "End one", cancel),
        add("record", "Print one as a case for `glovebox test`", record)}) {
    inner->add_option("id", options->id, "The run")->type_name("ID")->required();
  }
  add_workflow_commands(*command);
}

}  // namespace glovebox::frontend
