#include "cli/runs/runs_command.h"

#include <algorithm>
#include <memory>

#include "base/characters/ascii.h"
#include "base/text/json_text.h"
#include "base/try.h"
#include "cli/runs/run_artifacts.h"
#include "cli/runs/runs_workflows.h"
#include "cli/session/workflow_session.h"
#include "gateway/adoption/liveness.h"
#include "gateway/adoption/wake.h"
#include "gateway/direct/one_call.h"
#include "gateway/runs/recorded_case.h"
#include "gateway/runs/run_settings.h"
#include "mcp/json/json_tree.h"
#include "terminal/command.h"
#include "terminal/exit_codes.h"
#include "workspace/report.h"
#include "workspace/typed_id.h"
#include "workspace/with_store.h"
#include "workspace/workspace.h"

namespace glovebox::cli {
namespace {

struct RunsOptions {
  WorkspaceFlags where;
  std::string id;
  std::string status;
  std::size_t most = 50;
  std::string artifact;
  std::string output;
};

int no_such_run(const RunsOptions& options) {
  return fail_with(kUsage, "NOT_FOUND", "there is no run " + options.id, options.where.json);
}

std::string record_summary(const store::RunRecord& run) {
  ObjectText out;
  out.text("id", run.id).text("status", name_of(run.status)).number("created", run.created);
  out.json_or_null("ended", run.ended ? std::to_string(*run.ended) : "");
  return out.text("client", run.client).text("intent", run.intent).text("language", run.language).done();
}

// A line of the list.
struct RunRow {
  std::int64_t created = 0;
  std::string id;
  std::string status;
  std::string client;
  std::string about;
};

// What it is meant for, the one call that it makes, or how its code begins, which a list of runs does not hold.
std::string about(const store::RunRecord& run, store::Store& store) {
  if (!run.intent.empty()) return first_line(run.intent, 60);
  const auto whole = store.find_run(run.id);
  const std::string code = whole && whole.value() ? whole.value()->code : "";
  if (const auto call = gateway::one_call_in(code)) return first_line(call->server + ":" + call->tool, 60);
  return first_line(std::string(base::trimmed(code)), 60);
}

// What it is meant for, its name, or its tasks.
std::string about(const store::WorkflowRecord& workflow, store::Store& store) {
  if (!workflow.intent.empty()) return first_line(workflow.intent, 60);
  const auto whole = store.find_workflow(workflow.id);
  const auto definition = mcp::parse_object(whole && whole.value() ? whole.value()->definition : "");
  if (!definition) return "";
  if (const auto name = mcp::string_member(*definition, "name"); name && !name->empty()) return first_line(*name, 60);
  std::string tasks;
  if (const auto* list = mcp::array_member(*definition, "tasks")) {
    for (const auto& task : *list) {
      const auto id = task.is_object() ? mcp::string_member(task.get_object(), "id") : std::nullopt;
      if (id) tasks += (tasks.empty() ? "" : ", ") + *id;
    }
  }
  return first_line(tasks, 60);
}

// Newest first, `most` of them.
Result<std::vector<RunRow>> rows_of(store::Store& store, const std::vector<store::RunRecord>& runs, bool with_workflows,
                                    std::size_t most) {
  std::vector<RunRow> rows;
  for (const auto& run : runs)
    rows.push_back({run.created, run.id, std::string(name_of(run.status)),
                    gateway::shown_client(run.client, run.config), about(run, store)});
  if (with_workflows) {
    for (const auto& workflow : GLOVEBOX_TRY(store.list_workflows(std::nullopt, most))) {
      rows.push_back({workflow.created, workflow.id, std::string(name_of(workflow.status)), workflow.client,
                      about(workflow, store)});
    }
  }
  std::stable_sort(rows.begin(), rows.end(), [](const RunRow& a, const RunRow& b) { return a.created > b.created; });
  if (rows.size() > most) rows.resize(most);
  return rows;
}

void print_rows(const std::vector<RunRow>& rows) {
  if (rows.empty()) return print_line("No runs.");
  std::vector<std::vector<std::string>> table = {{"ID", "STATUS", "AGE", "CLIENT", "ABOUT"}};
  for (const RunRow& row : rows) table.push_back({row.id, row.status, age_of(row.created), row.client, row.about});
  print_table(table);
}

int list_stored_runs(const RunsOptions& options) {
  const bool json = options.where.json;
  std::optional<store::RunStatus> status;
  if (!options.status.empty() && !(status = store::run_status_of(options.status))) {
    return fail_usage("--status is running, waiting, finished, failed or cancelled", json);
  }
  return with_store(options.where, fail_to_read, [&](const Workspace&, store::Store* store) -> int {
    std::vector<store::RunRecord> runs;
    if (store) {
      auto found = store->list_runs(status, options.most);
      if (!found) return fail_to_read(found.failure(), json);
      runs = std::move(found).value();
    }
    const bool with_workflows = store && !status;
    if (!json) {
      const auto rows = store ? rows_of(*store, runs, with_workflows, options.most) : std::vector<RunRow>();
      if (!rows) return fail_to_read(rows.failure(), json);
      print_rows(*rows);
      return kOk;
    }
    const std::string workflows = with_workflows ? workflow_summaries(*store, options.most) : "[]";
    ObjectText out;
    out.flag("ok", true).json("workflows", workflows).json("runs", json_list(runs, record_summary));
    print_json(out.done());
    return kOk;
  });
}

// `with` gets the run that was named, with where it is. Without one, that is reported.
template <typename With>
int with_run(const RunsOptions& options, With with) {
  return with_store(options.where, fail_to_read, [&](const Workspace& workspace, store::Store* store) -> int {
    if (!store) return no_such_run(options);
    const auto run = store->find_run(options.id);
    if (!run) return fail_to_read(run.failure(), options.where.json);
    if (!run.value()) return no_such_run(options);
    return with(options, workspace, *store, *run.value());
  });
}

int show_run(const RunsOptions& options, const Workspace& workspace, store::Store& store,
             const store::RunRecord& record) {
  const bool json = options.where.json;
  const auto pending = store.approvals(options.id, true);
  if (!pending) return fail_to_read(pending.failure(), json);
  const bool alive = gateway::owner_lives(store, workspace.state_folder, record.owner);
  if (json) {
    ListText waits_for;
    for (const auto& approval : pending.value()) waits_for.text(approval.id);
    ObjectText out;
    out.flag("ok", true).members(record_summary(record)).text("code", record.code).json("context", record.context);
    out.flag("gatewayRuns", alive).json("waitsFor", waits_for.done()).json_or_null("outcome", record.outcome);
    print_json(out.done());
    return kOk;
  }
  print_line(record.id + ", " + std::string(name_of(record.status)) + ", begun " + age_of(record.created) + " ago by " +
             (record.client.empty() ? "an unknown client" : gateway::shown_client(record.client, record.config)));
  if (!record.intent.empty()) print_line("purpose: " + record.intent);
  for (const auto& approval : pending.value()) print_line("waits for approval " + approval.id);
  if (!has_ended(record.status) && !alive)
    print_line("no gateway is running it now; resume it with: glovebox runs resume " + record.id);
  print_line("\n" + record.code);
  if (!record.outcome.empty()) print_line("\n" + base::pretty_json(record.outcome));
  return kOk;
}

int record_run(const RunsOptions& options, const Workspace&, store::Store& store, const store::RunRecord& run) {
  const bool json = options.where.json;
  if (!has_ended(run.status)) return fail_usage("run " + options.id + " has not ended yet", json);
  const auto recording = store.find_recording(options.id);
  if (!recording) return fail_to_read(recording.failure(), json);
  if (!recording.value()) {
    return fail_usage("run " + options.id + " " + std::string(gateway::kNotRecorded), json);
  }
  const auto made = gateway::recorded_case(run, *recording.value());
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
  if (!asked) return fail_to_read(asked.failure(), json);
  if (!asked.value()) return fail_with(kToolFailed, "CONFLICT", "run " + options.id + " has already ended", json);
  const bool is_run = gateway::owner_lives(store, workspace.state_folder, run.owner);
  if (is_run) gateway::wake_gateway(workspace.state_folder, run.owner);
  // Where no gateway drives the run, one that opens here cancels it.
  const int code =
      is_run ? kOk : WorkflowSession(options.where, false).run([](WorkflowSession& session) { session.done(kOk); });
  const auto now = store.find_run(options.id);
  const bool cancelled = now && now.value() && has_ended(now.value()->status);
  if (json) {
    const std::string_view status = cancelled ? name_of(now.value()->status) : "cancelling";
    print_json(ObjectText().flag("ok", true).text("run", options.id).text("status", status).done());
  } else {
    print_line("Run " + options.id + (cancelled ? " is cancelled." : " is being cancelled."));
  }
  return code;
}

int show_run_or_workflow(const RunsOptions& options) {
  if (!is_workflow(options.id)) return with_run(options, show_run);
  return with_store(options.where, fail_to_read, [&](const Workspace& workspace, store::Store* store) -> int {
    if (!store) return no_such_run(options);
    return show_workflow(*store, options.id, workspace.state_folder, options.where.json);
  });
}

int cancel(const RunsOptions& options) {
  return with_run(options, cancel_stored_run);
}

int artifacts(const RunsOptions& options) {
  return show_run_artifacts(options.where, {options.id, options.artifact, options.output});
}

int record(const RunsOptions& options) {
  return with_run(options, record_run);
}

}  // namespace

void add_runs_command(Command& app) {
  const auto options = std::make_shared<RunsOptions>();
  Command* command = app.add_subcommand("runs", "Inspect runs, and control workflows");
  command->require_subcommand();
  const auto add = [&](const char* name, const char* what, int (*run)(const RunsOptions&)) {
    Command* inner = command->add_subcommand(name, what);
    add_workspace_flags(*inner, options->where);
    inner->runs([options, run] {
      if (const auto failed = complete_id(options->where, options->id)) return *failed;
      return run(*options);
    });
    return inner;
  };
  Command* listing = add("ls", "List them, newest first", list_stored_runs);
  listing->add_option("--status", options->status, "running, waiting, finished, failed or cancelled")
      ->type_name("STATUS");
  listing->add_option("--limit", options->most, "At most this many (50)")->type_name("N");
  Command* emitted = add("artifacts", "List what one has emitted, or print or save one artifact", artifacts);
  for (Command* inner :
       {emitted, add("show", "Show one, with its code and outcome", show_run_or_workflow),
        add("cancel", "End one", cancel), add("record", "Print one as a case for `glovebox test`", record)}) {
    inner->add_option("id", options->id, "The run; a unique prefix is enough")->type_name("ID")->required();
  }
  emitted->add_option("name", options->artifact, "The artifact to print")->type_name("NAME");
  emitted->add_option("--output", options->output, "Write it to this file, which must not exist yet")
      ->type_name("FILE");
  add_workflow_commands(*command);
}

}  // namespace glovebox::cli
