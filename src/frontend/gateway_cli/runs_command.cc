#include "frontend/gateway_cli/runs_command.h"

#include <CLI/CLI.hpp>
#include <memory>

#include "base/json_text.h"
#include "frontend/cli/command_line.h"
#include "frontend/cli/exit_codes.h"
#include "frontend/gateway_cli/open_store.h"
#include "frontend/gateway_cli/report.h"
#include "frontend/gateway_cli/workspace.h"
#include "gateway/owner_lock.h"
#include "gateway/poke.h"

namespace glovebox::frontend {
namespace {

struct RunsOptions {
  WorkspaceFlags where;
  std::string id;
  std::string status;
  std::size_t most = 50;
};

int fail_store(const Failure& failure, bool json) {
  return fail_with(kUnreachable, "STORE_UNAVAILABLE", failure.message, json);
}

int no_such_run(const RunsOptions& options) {
  return fail_with(kUsage, "NOT_FOUND", "there is no run " + options.id, options.where.json);
}

std::string summary(const store::RunRecord& run) {
  return R"("id":)" + json_text(run.id) + R"(,"status":)" + json_text(name_of(run.status)) + R"(,"created":)" +
         std::to_string(run.created) + R"(,"ended":)" + (run.ended ? std::to_string(*run.ended) : "null") +
         R"(,"client":)" + json_text(run.client) + R"(,"intent":)" + json_text(run.intent) + R"(,"language":)" +
         json_text(run.language);
}

int list(const RunsOptions& options) {
  const bool json = options.where.json;
  std::optional<store::RunStatus> status;
  if (!options.status.empty() && !(status = store::run_status_of(options.status))) {
    return fail_usage("--status is running, waiting, finished, failed or cancelled", json);
  }
  const auto workspace = open_workspace(options.where);
  if (!workspace) return fail_usage(workspace.failure().message, json);
  const auto store = open_store(workspace.value());
  if (!store) return fail_store(store.failure(), json);
  std::vector<store::RunRecord> runs;
  if (store.value()) {
    auto found = store.value()->list_runs(status, options.most);
    if (!found) return fail_store(found.failure(), json);
    runs = std::move(found).value();
  }
  std::string out = R"({"ok":true,"runs":[)";
  for (const store::RunRecord& run : runs) {
    out += (out.back() == '[' ? "{" : ",{") + summary(run) + "}";
    if (!json) {
      print_line(run.id + "\t" + std::string(name_of(run.status)) + "\t" + age_of(run.created) + "\t" +
                 first_line(run.intent, 60));
    }
  }
  if (json) print_json(out + "]}");
  if (!json && runs.empty()) print_line("No runs.");
  return kOk;
}

int show(const RunsOptions& options) {
  const bool json = options.where.json;
  const auto workspace = open_workspace(options.where);
  if (!workspace) return fail_usage(workspace.failure().message, json);
  const auto store = open_store(workspace.value());
  if (!store) return fail_store(store.failure(), json);
  if (!store.value()) return no_such_run(options);
  const auto run = store.value()->find_run(options.id);
  if (!run) return fail_store(run.failure(), json);
  if (!run.value()) return no_such_run(options);
  const auto pending = store.value()->approvals(options.id, true);
  if (!pending) return fail_store(pending.failure(), json);
  const store::RunRecord& record = *run.value();
  const bool alive = gateway::owner_is_alive(workspace->state_folder, record.owner);
  if (json) {
    std::string out = R"({"ok":true,)" + summary(record) + R"(,"code":)" + json_text(record.code) + R"(,"context":)" +
                      record.context + R"(,"gatewayRuns":)" + (alive ? "true" : "false") + R"(,"waitsFor":[)";
    for (const auto& approval : pending.value()) out += (out.back() == '[' ? "" : ",") + json_text(approval.id);
    print_json(out + R"(],"outcome":)" + (record.outcome.empty() ? "null" : record.outcome) + "}");
    return kOk;
  }
  print_line(record.id + ", " + std::string(name_of(record.status)) + ", begun " + age_of(record.created) + " ago by " +
             (record.client.empty() ? "somebody" : record.client));
  if (!record.intent.empty()) print_line("meant for: " + record.intent);
  for (const auto& approval : pending.value()) print_line("waits for approval " + approval.id);
  if (!has_ended(record.status) && !alive) print_line("no gateway runs it now; the next one of this workspace will");
  print_line("\n" + record.code);
  if (!record.outcome.empty()) print_line("\n" + base::pretty_json(record.outcome));
  return kOk;
}

int cancel(const RunsOptions& options) {
  const bool json = options.where.json;
  const auto workspace = open_workspace(options.where);
  if (!workspace) return fail_usage(workspace.failure().message, json);
  const auto store = open_store(workspace.value());
  if (!store) return fail_store(store.failure(), json);
  if (!store.value()) return no_such_run(options);
  const auto run = store.value()->find_run(options.id);
  if (!run) return fail_store(run.failure(), json);
  if (!run.value()) return no_such_run(options);
  const auto asked = store.value()->ask_to_cancel(options.id);
  if (!asked) return fail_store(asked.failure(), json);
  if (!asked.value()) return fail_with(kToolFailed, "CONFLICT", "run " + options.id + " has ended already", json);
  gateway::poke(workspace->state_folder, run.value()->owner);
  if (json) {
    print_json(R"({"ok":true,"run":)" + json_text(options.id) + "}");
  } else {
    print_line("Run " + options.id + " is being cancelled.");
  }
  return kOk;
}

}  // namespace

void add_runs_command(CLI::App& app, Commands& commands) {
  const auto options = std::make_shared<RunsOptions>();
  CLI::App* command = app.add_subcommand("runs", "Show runs of this workspace");
  command->require_subcommand(1);
  const auto add = [&](const char* name, const char* what, int (*run)(const RunsOptions&)) {
    CLI::App* inner = command->add_subcommand(name, what);
    add_workspace_flags(*inner, options->where);
    commands.add(inner, [options, run] { return run(*options); });
    return inner;
  };
  CLI::App* listing = add("ls", "Show them, the newest first", list);
  listing->add_option("--status", options->status, "running, waiting, finished, failed or cancelled")
      ->type_name("STATUS");
  listing->add_option("--limit", options->most, "At most so many (50)")->type_name("N");
  for (CLI::App* inner : {add("show", "Show one, with its code and outcome", show), add("cancel", "End one", cancel)}) {
    inner->add_option("id", options->id, "The run")->type_name("ID")->required();
  }
}

}  // namespace glovebox::frontend
