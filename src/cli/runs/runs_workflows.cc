#include "cli/runs/runs_workflows.h"

#include <memory>

#include "agent_tools/run_reply.h"
#include "assembly/views/workflow_lines.h"
#include "base/text/json_text.h"
#include "base/try.h"
#include "base/wall_clock.h"
#include "base/whole_file.h"
#include "cli/runs/resume_run.h"
#include "cli/session/workflow_session.h"
#include "gateway/adoption/liveness.h"
#include "gateway/adoption/wake.h"
#include "gateway/approvals/approval_text.h"
#include "mcp/json/json_tree.h"
#include "terminal/command.h"
#include "terminal/exit_codes.h"
#include "workflow/command.h"
#include "workflow/report.h"
#include "workspace/typed_id.h"
#include "workspace/with_store.h"

namespace glovebox::cli {
namespace {

constexpr std::size_t kMostPlanBytes = std::size_t{16} << 20;
constexpr std::size_t kBatch = 1000;

struct WorkflowOptions {
  WorkspaceFlags where;
  std::string id;
  std::int64_t checkpoint = 0;
  std::int64_t after = 0;
  std::string reason;
  std::string file;
  std::string type;
  std::string payload = "{}";
  std::string input;
  std::vector<std::string> arguments;  // task=JSON
  std::vector<std::string> decisions;  // task=retry|skip|fail|done:JSON
  bool commit = false;
};

// `with` gets the workflow that was named, with where it is. Without one, that is reported.
template <typename With>
int with_workflow(const WorkflowOptions& options, With with) {
  return with_store(options.where, fail_to_change, [&](const Workspace& workspace, store::Store* store) -> int {
    const auto record =
        store ? store->find_workflow(options.id) : Result<std::optional<store::WorkflowRecord>>(std::nullopt);
    if (!record) return fail_to_change(record.failure(), options.where.json);
    if (!record.value())
      return fail_with(kUsage, "NOT_FOUND", "there is no workflow " + options.id, options.where.json);
    return with(workspace, *store, *record.value());
  });
}

// NAME=REST
Result<std::pair<std::string, std::string>> split_pair(const std::string& text, const char* example) {
  const std::size_t equals = text.find('=');
  if (equals == text.npos || equals == 0) {
    return Failure{ErrorCode::kInvalidArgument, "\"" + text + "\" is not understood; write " + example};
  }
  return std::pair(text.substr(0, equals), text.substr(equals + 1));
}

bool is_yes_to_request(const std::string& payload) {
  const auto said = mcp::parse_object(payload);
  return said && mcp::true_member(*said, "approved") && (mcp::member(*said, "approval") || mcp::member(*said, "task"));
}

// What a person has to say, and can be seen to.
bool is_persons_word(workflow::CommandType type, const std::string& payload) {
  using enum workflow::CommandType;
  const auto said = mcp::parse_object(payload);
  return type == kContinue || type == kSkipLayer ||
         (type == kApprovalResponse && said && mcp::true_member(*said, "approved"));
}

bool waits_for_person_after_layer(store::Store& store, const std::string& id) {
  const auto report = workflow::report_on(store, id);
  const auto* waits = report ? mcp::array_member(report.value(), "waitsFor") : nullptr;
  for (const auto& item : waits ? *waits : mcp::json::array()) {
    const auto& wait = item.get_object();
    if (mcp::string_member(wait, "kind") == "layer" && mcp::string_member(wait, "by") == "human") return true;
  }
  return false;
}

void say_sent(const WorkflowOptions& options, const std::string& type, std::int64_t command,
              const std::string& undriven_status) {
  const bool driven = undriven_status.empty();
  if (options.where.json) {
    ObjectText out;
    out.flag("ok", true).text("workflow_id", options.id).number("command", command).flag("driven", driven);
    print_json(out.text_if("status", undriven_status).done());
  } else if (driven) {
    print_line("Sent " + type + " to workflow " + options.id + "; follow it with glovebox runs watch.");
  } else if (const auto status = store::workflow_status_of(undriven_status); status && store::has_ended(*status)) {
    print_line("Workflow " + options.id + " is " + undriven_status + ".");
  } else {
    print_line("Workflow " + options.id + " accepted the command " + type + " and is " + undriven_status +
               ". No gateway is driving it; resume it with: glovebox runs resume " + options.id);
  }
}

// No gateway drives the workflow: this process does what the command says, and no more.
int carry_out(const WorkflowOptions& options, const store::WorkflowCommand& command) {
  WorkflowSession session(options.where, false);
  std::shared_ptr<workflow::EventFeed> feed;
  return session.run([&](WorkflowSession& session) {
    workflow::WorkflowEngine& engine = session.process().workflows();
    const auto done = engine.carry_out(command);
    if (!done) return session.fail(kToolFailed, "CONFLICT", done.failure().message);
    const auto finish = [&options, &session, &engine, command, number = done->command, here = done->here] {
      const auto record = engine.find(command.workflow);
      const std::string status =
          record && record.value() ? std::string(store::name_of(record.value()->status)) : "gone";
      say_sent(options, command.type, number, here ? status : "");
      session.done(kOk);
    };
    if (!done->here || !engine.drives(command.workflow)) return finish();
    // An abort: what ran is on its way out.
    feed = engine.follow(command.workflow, 0, [finish](const store::WorkflowEvent& event) {
      if (event.type == "workflow_abort") finish();
    });
  });
}

// To the gateway that drives the workflow, through the store; where none does, it is carried out here.
int send(const WorkflowOptions& options, const std::string& type, const std::string& payload) {
  const bool json = options.where.json;
  const auto known = workflow::command_named(type);
  if (!known) {
    return fail_usage("there is no command " + type +
                          "; there are abort, pause, continue, inject_tasks, replan_dag, "
                          "skip_layer, modify_args and approval_response",
                      json);
  }
  if (const auto good = workflow::check_payload(*known, payload); !good)
    return fail_usage(good.failure().message, json);
  if (*known == workflow::CommandType::kApprovalResponse && is_yes_to_request(payload))
    return fail_usage("approve with `glovebox approvals approve`, at a terminal", json);
  store::WorkflowCommand command;
  command.workflow = options.id;
  command.type = type;
  command.payload = payload;
  command.who = this_person();
  command.channel = "cli";
  command.at = base::now_ms();
  bool driven = true;
  const int sent = with_workflow(
      options, [&](const Workspace& workspace, store::Store& store, const store::WorkflowRecord& record) -> int {
        if (is_persons_word(*known, payload) && waits_for_person_after_layer(store, options.id)) {
          return fail_usage("a person decides this at a terminal: glovebox runs resume " + options.id, json);
        }
        const std::string& owner = record.owner;
        driven = store::has_ended(record.status) ||
                 (!owner.empty() && gateway::owner_lives(store, workspace.state_folder, owner));
        if (!driven) return kOk;
        const auto added = store.add_command(command);
        if (!added) return fail_to_change(added.failure(), json);
        gateway::wake_gateway(workspace.state_folder, owner);
        say_sent(options, type, added.value(), "");
        return kOk;
      });
  return driven ? sent : carry_out(options, command);
}

int watch(const WorkflowOptions& options) {
  WorkflowSession session(options.where, false);
  return session.run([&](WorkflowSession& session) { session.follow(options.id, options.after); });
}

int logs(const WorkflowOptions& options) {
  const bool json = options.where.json;
  return with_workflow(options, [&](const Workspace&, store::Store& store, const store::WorkflowRecord&) -> int {
    std::int64_t last = options.after;
    while (true) {
      const auto events = store.workflow_events_after(options.id, last, kBatch);
      if (!events) return fail_to_change(events.failure(), json);
      for (const store::WorkflowEvent& event : events.value()) {
        last = event.number;
        if (json) {
          print_json(workflow::to_json(options.id, event));
          continue;
        }
        if (const std::string line = assembly::line_of(event); !line.empty()) print_line(line);
        if (event.type != "task_complete" && event.type != "task_error") continue;
        // What the task's code wrote, from its run.
        const auto payload = mcp::parse_object(event.payload);
        const auto task = payload ? mcp::string_member(payload.value(), "task") : std::nullopt;
        const auto tasks = store.workflow_tasks(options.id, store::Store::Outputs::kNone);
        if (!task || !tasks) continue;
        for (const store::TaskRecord& row : tasks.value()) {
          if (row.id != *task || row.run.empty()) continue;
          const auto run = store.find_run(row.run);
          const auto outcome = run && run.value() ? mcp::parse_object(run.value()->outcome)
                                                  : Result<mcp::json::object>(Failure{ErrorCode::kNotFound, ""});
          const auto* lines = outcome ? mcp::array_member(outcome.value(), "logs") : nullptr;
          for (const auto& line : lines ? *lines : mcp::json::array()) {
            if (const auto* text = line.if_string()) print_line("    " + *task + ": " + std::string(*text));
          }
        }
      }
      if (events->empty()) return kOk;
    }
  });
}

using Commanded = workflow::WorkflowEngine::Commanded;

void give(WorkflowSession& session, const std::string& id, const std::string& type, const std::string& payload,
          Commanded done) {
  store::WorkflowCommand command;
  command.workflow = id;
  command.type = type;
  command.payload = payload;
  command.who = this_person();
  command.channel = "cli";
  session.process().workflows().command(std::move(command), std::move(done));
}

// What was decided of a task: retry, skip, fail, or done:JSON with what it gave.
Result<std::string> decision_on(const std::string& task, const std::string& typed) {
  constexpr std::string_view kDone = "done:";
  ObjectText out;
  out.text("task", task);
  if (!typed.starts_with(kDone)) return out.text("decision", typed).done();
  const auto output = mcp::parse_tree(typed.substr(kDone.size()));
  if (output) return out.text("decision", "done").json("output", mcp::json::serialize(output.value())).done();
  return Failure{
      ErrorCode::kInvalidArgument,
      "the task's output must be JSON, such as --decide TASK=done:'{\"id\": 7}': " + output.failure().message};
}

Result<std::string> decision_typed(const std::string& text) {
  const auto [task, decision] = GLOVEBOX_TRY(split_pair(text, "--decide TASK=retry"));
  return decision_on(task, decision);
}

// Answers what was asked, one after the other, where `runs resume` itself is the answer.
void go_on(WorkflowSession& session, const WorkflowOptions& options, std::size_t next, const Commanded& done) {
  if (next < options.decisions.size()) {
    const auto decision = decision_typed(options.decisions[next]);
    if (!decision) return done(decision.failure());
    return give(session, options.id, "approval_response", *decision,
                [&session, &options, next, done](const Result<void>& given) {
                  if (!given) return done(given);
                  go_on(session, options, next + 1, done);
                });
  }
  const auto report = workflow::report_on(session.process().store(), options.id);
  if (!report) return done(report.failure());
  bool asked = mcp::string_member(*report, "status") == "paused";
  const auto* waits = mcp::array_member(*report, "waitsFor");
  for (const auto& item : waits ? *waits : mcp::json::array()) {
    if (mcp::string_member(item.get_object(), "kind") != "layer") continue;
    if (mcp::string_member(item.get_object(), "by") == "human") return done({});
    asked = true;
  }
  if (!asked) return done({});
  give(session, options.id, "continue", "{}", done);
}

int resume_all(const WorkflowOptions& options) {
  // Each in turn: what waits for a person is left waiting.
  return with_store(options.where, fail_to_change, [&](const Workspace& workspace, store::Store* store) -> int {
    const auto records =
        store ? store->list_workflows(store::WorkflowStatus::kRunning, kBatch) : std::vector<store::WorkflowRecord>();
    if (!records) return fail_to_change(records.failure(), options.where.json);
    int worst = kOk;
    bool any = false;
    for (const store::WorkflowRecord& record : records.value()) {
      if (!record.owner.empty() && gateway::owner_lives(*store, workspace.state_folder, record.owner)) continue;
      any = true;
      WorkflowSession session(options.where, true);
      const int code = session.run([&](WorkflowSession& session) {
        session.process().workflows().resume(record.id, [&session, &record](const Result<bool>& taken) {
          if (!taken || !*taken) return session.done(kOk);
          session.follow(record.id, record.last_event);
          session.on_waiting();
        });
      });
      worst = std::max(worst, code);
    }
    if (!any) print_note("There is no workflow to resume. Runs are resumed by their id.");
    return worst;
  });
}

int resume(const WorkflowOptions& options) {
  if (options.id.empty()) return resume_all(options);
  if (!is_workflow(options.id)) return resume_run({options.where, options.id, options.commit});
  WorkflowSession session(options.where, true);
  return session.run([&](WorkflowSession& session) {
    const auto before = session.process().workflows().find(options.id);
    if (!before) return session.fail(kUnreachable, "STORE_UNAVAILABLE", before.failure().message);
    if (!before.value()) return session.fail(kUsage, "NOT_FOUND", "there is no workflow " + options.id);
    const auto follow = [&session, &options, after = before.value()->last_event](const Result<void>& gone_on) {
      if (!gone_on) return session.fail(kToolFailed, "CONFLICT", gone_on.failure().message);
      session.follow(options.id, after);
      // Questions that were shown before are not shown again.
      session.on_waiting();
    };
    const auto on_taken = [&session, &options, follow, status = before.value()->status](const Result<bool>& taken) {
      if (!taken) return session.fail(kUnreachable, "STORE_UNAVAILABLE", taken.failure().message);
      if (store::has_ended(status)) return follow({});
      // Commands that arrived while no gateway drove it come first.
      session.process().workflows().obey(
          options.id, 0, [&session, &options, follow](const Result<void>&) { go_on(session, options, 0, follow); });
    };
    session.process().workflows().resume(options.id, on_taken);
  });
}

int abort_workflow(const WorkflowOptions& options) {
  return send(options, "abort", ObjectText().text_if("reason", options.reason).done());
}

int send_any_command(const WorkflowOptions& options) {
  return send(options, options.type, options.payload);
}

int replan(const WorkflowOptions& options) {
  const auto text = base::read_whole_file(options.file, kMostPlanBytes);
  if (!text) return fail_usage(text.failure().message, options.where.json);
  const auto tree = mcp::parse_tree(text.value());
  if (!tree) return fail_usage(options.file + ": " + tree.failure().message, options.where.json);
  // A whole definition, or its list of tasks.
  const mcp::json::value* tasks = &tree.value();
  if (tasks->is_object()) tasks = tasks->get_object().if_contains("tasks");
  if (!tasks || !tasks->is_array()) return fail_usage(options.file + " contains no list of tasks", options.where.json);
  return send(options, "replan_dag", mcp::json::serialize(mcp::json::object{{"tasks", *tasks}}));
}

int fork(const WorkflowOptions& options) {
  workflow::ForkRequest request;
  request.workflow = options.id;
  request.checkpoint = options.checkpoint;
  request.client = this_person();
  for (const std::string& text : options.arguments) {
    const auto pair = split_pair(text, R"(--args TASK='{"path": "."}')");
    if (!pair) return fail_usage(pair.failure().message, options.where.json);
    auto object = mcp::parse_object(pair->second);
    if (!object) return fail_usage("--args " + pair->first + ": " + object.failure().message, options.where.json);
    request.arguments[pair->first] = std::move(object).value();
  }
  if (!options.input.empty()) {
    auto input = mcp::parse_tree(options.input);
    if (!input) return fail_usage("--input is not JSON: " + input.failure().message, options.where.json);
    request.input = std::move(input).value();
  }
  WorkflowSession session(options.where, true);
  return session.run([&](WorkflowSession& session) {
    session.process().workflows().fork(request, [&options, &session](const Result<std::string>& id) {
      if (!id) return session.fail(kUsage, "CONFLICT", id.failure().message);
      if (!options.where.json) print_note("workflow " + *id);
      session.follow(*id);
    });
  });
}

int roll_back(const WorkflowOptions& options) {
  WorkflowSession session(options.where, false);
  return session.run([&](WorkflowSession& session) {
    const auto finish = [&session, &options](const Result<void>& back) {
      if (!back) return session.fail(kToolFailed, "CONFLICT", back.failure().message);
      if (options.where.json) {
        print_json(ObjectText().flag("ok", true).text("workflow_id", options.id).done());
      } else {
        print_line("Workflow " + options.id + " is back at checkpoint " + std::to_string(options.checkpoint) +
                   " again. Resume it with: glovebox runs resume " + options.id);
      }
      session.done(kOk);
    };
    session.process().workflows().roll_back(options.id, options.checkpoint, this_person(), "cli", finish);
  });
}

std::string checkpoint_line(const store::CheckpointRecord& checkpoint) {
  const std::string what = checkpoint.kind == "entry"         ? "at the start"
                           : checkpoint.kind == "layer_start" ? "before layer " + checkpoint.label
                           : checkpoint.kind == "layer_end"   ? "after layer " + checkpoint.label
                           : checkpoint.kind == "task"        ? "after task " + checkpoint.label
                                                              : checkpoint.kind + " " + checkpoint.label;
  return "  " + std::to_string(checkpoint.number) + "\t" + base::iso_time(checkpoint.at) + "\t" + what;
}

}  // namespace

bool is_workflow(const std::string& id) {
  return id.starts_with("wf_");
}

std::string workflow_summaries(store::Store& store, std::size_t most) {
  const auto records = store.list_workflows(std::nullopt, most);
  return json_list(records ? records.value() : std::vector<store::WorkflowRecord>(),
                   [](const auto& record) { return mcp::json::serialize(workflow::summary_of(record)); });
}

int show_workflow(store::Store& store, const std::string& id, const std::string& state_folder, bool json) {
  const auto report = workflow::report_on(store, id);
  if (!report) return fail_to_change(report.failure(), json);
  const auto checkpoints = store.workflow_checkpoints(id);
  if (!checkpoints) return fail_to_change(checkpoints.failure(), json);
  const auto record = store.find_workflow(id);
  const bool driven = record && record.value() && !record.value()->owner.empty() &&
                      gateway::owner_lives(store, state_folder, record.value()->owner);
  if (json) {
    auto shown = report.value();
    auto list = workflow::checkpoints_of(store, id, checkpoints->size());
    if (!list) return fail_to_change(list.failure(), json);
    shown["checkpoints"] = std::move(list).value();
    shown["driven"] = driven;
    shown["ok"] = true;
    print_json(mcp::json::serialize(shown));
    return kOk;
  }
  print_line(id + ", " + mcp::string_member(report.value(), "status").value_or("") +
             (driven ? ", driven by a gateway" : ""));
  for (const auto& item : *mcp::array_member(report.value(), "tasks")) {
    const auto& task = item.get_object();
    std::string line =
        "  " + mcp::string_member(task, "status").value_or("") + "\t" + mcp::string_member(task, "id").value_or("");
    if (const auto* error = mcp::object_member(task, "error")) {
      line += "\t" + mcp::string_member(*error, "message").value_or("");
    }
    print_line(line);
  }
  for (const auto& item : *mcp::array_member(report.value(), "waitsFor")) {
    if (const auto digest = mcp::string_member(item.get_object(), "digest"))
      print_line(gateway::approval_text(assembly::request_of_layer(item.get_object(), id)) + "digest: " + *digest);
    print_line("waits for: " + mcp::string_member(item.get_object(), "kind").value_or("") + " " +
               mcp::string_member(item.get_object(), "task").value_or(""));
  }
  print_line("checkpoints:");
  for (const auto& checkpoint : checkpoints.value()) {
    print_line(checkpoint_line(checkpoint));
  }
  if (const auto* outcome = mcp::object_member(report.value(), "outcome")) {
    print_line(base::pretty_json(mcp::json::serialize(*outcome)));
  }
  return kOk;
}

void add_workflow_commands(Command& runs) {
  const auto options = std::make_shared<WorkflowOptions>();
  const auto add = [&](const char* name, const char* what, int (*run)(const WorkflowOptions&), bool needs_id = true) {
    Command* inner = runs.add_subcommand(name, what);
    add_workspace_flags(*inner, options->where);
    const char* what_id =
        needs_id ? "The workflow; a unique prefix is enough" : "The run or workflow; a unique prefix is enough";
    Option* id = inner->add_option("id", options->id, what_id)->type_name("ID");
    if (needs_id) id->required();
    inner->runs([options, run] {
      if (const auto failed = complete_id(options->where, options->id)) return *failed;
      return run(*options);
    });
    return inner;
  };
  add("watch", "Follow a workflow: its graph on a terminal, else a line for each event", watch)
      ->add_option("--after", options->after, "From the event after this number")
      ->type_name("N");
  add("logs", "Show what a workflow did, and what its code logged", logs)
      ->add_option("--after", options->after, "From the event after this number")
      ->type_name("N");
  Command* resumed =
      add("resume", "Resume a run or workflow that is waiting, paused or abandoned; without an id, all workflows",
          resume, false);
  resumed
      ->add_option("--decide", options->decisions,
                   "Decide about a task whose outcome is unknown: retry, skip, fail, or done:JSON")
      ->type_name("TASK=WORD");
  resumed->add_flag("--commit", options->commit, "Write the files that the run changed; workflows always do");
  add("abort", "End a workflow; running tasks are cancelled and their changes discarded", abort_workflow)
      ->add_option("--reason", options->reason, "Why")
      ->type_name("TEXT");
  Command* any =
      add("command", "Send a command to a workflow: pause, continue, skip_layer, modify_args, inject_tasks, …",
          send_any_command);
  any->add_option("type", options->type, "The command")->type_name("TYPE")->required();
  any->add_option("payload", options->payload, "What it needs, such as {\"task\": \"a\", \"arguments\": {}}")
      ->type_name("JSON");
  add("replan", "Replace all pending tasks of a workflow", replan)
      ->add_option("file", options->file, "A list of tasks, or a workflow with one")
      ->type_name("FILE")
      ->required();
  Command* forked = add("fork", "Start a new workflow from a checkpoint, with other arguments", fork);
  forked->add_option("--from", options->checkpoint, "The checkpoint (the last)")->type_name("N");
  forked->add_option("--args", options->arguments, "Arguments of a task that has not ended there")
      ->type_name("TASK=JSON");
  forked->add_option("--input", options->input, "Another input")->type_name("JSON");
  add("rollback", "Put a workflow back to a checkpoint, where it is paused", roll_back)
      ->add_option("--to", options->checkpoint, "The checkpoint")
      ->type_name("N")
      ->required();
}

}  // namespace glovebox::cli
