#include "cli/plan/plan_command.h"

#include <memory>

#include "assembly/views/dag_view.h"
#include "assembly/views/plan_view.h"
#include "base/try.h"
#include "cli/exec/exec_request.h"
#include "gateway/config_policy.h"
#include "policy/tool_rules.h"
#include "terminal/command.h"
#include "terminal/exit_codes.h"
#include "workspace/report.h"
#include "workspace/workspace.h"

namespace glovebox::cli {
namespace {

struct PlanOptions {
  WorkspaceFlags workspace;
  ExecOptions code;
};

struct Planned {
  Workspace workspace;
  policy::ToolRules rules;
  ToolPlan plan;
};

// Aliases are the catalog's, which a plan does not start servers for: a rule that names the tool in another way is not
// found here, and the call itself decides.
std::string_view verdict_on(const Planned& planned, const PlannedTool& tool) {
  return policy::name_of(planned.rules.decide(tool.server, tool.tool, "{}").verdict);
}

Result<Planned> make_plan(const PlanOptions& options) {
  Planned planned;
  planned.workspace = GLOVEBOX_TRY(open_workspace(options.workspace));
  planned.rules = GLOVEBOX_TRY(workspace_rules(planned.workspace, planned.workspace.config));
  ExecRequest exec = GLOVEBOX_TRY(make_exec_request(options.code));
  PlanRequest request;
  request.code = std::move(exec.run.code);
  request.language = exec.run.language;
  request.name = std::move(exec.run.name);
  for (const auto& server : planned.workspace.config.prepared_servers()) request.servers.push_back(server.name);
  SandboxOptions sandbox_options;
  sandbox_options.pool_size = 0;
  sandbox_options.warm_typescript = false;
  Sandbox sandbox(std::move(sandbox_options));
  planned.plan = GLOVEBOX_TRY(sandbox.plan(std::move(request)));
  return planned;
}

void print_plan(const Planned& planned) {
  const ToolPlan& plan = planned.plan;
  if (plan.tools.empty() && plan.dynamic.empty()) print_line("It calls no tools.");
  for (const PlannedTool& tool : plan.tools) {
    std::string line = std::string(verdict_on(planned, tool)) + "\t" + tool.server + "." + tool.tool + "\tline " +
                       std::to_string(tool.position.line);
    for (const std::string& condition : tool.when) line += (&condition == &tool.when.front() ? "\t" : ", ") + condition;
    print_line(line);
  }
  for (const DynamicUse& use : plan.dynamic) {
    print_line("dynamic\t" + use.what + "\tline " + std::to_string(use.position.line));
  }
  if (!plan.dynamic.empty()) print_note("only a run shows what the dynamic calls are; the rules apply to them as well");
}

int run_plan(const PlanOptions& options) {
  const auto planned = make_plan(options);
  const bool json = options.workspace.json;
  if (!planned) return fail_usage(planned.failure().message, json);
  const ToolPlan& plan = planned.value().plan;
  if (json) {
    print_json(ObjectText().members(assembly::to_json(plan)).json("dag", assembly::dag_json(plan)).done());
  } else if (plan.error) {
    print_note(plan.error->message);
  } else {
    print_plan(planned.value());
  }
  return plan.error ? kCodeFailed : kOk;
}

}  // namespace

void add_plan_command(Command& app) {
  const auto options = std::make_shared<PlanOptions>();
  Command* command = app.add_subcommand("plan", "Show which tools a program can call");
  command->footer(
      "\nNothing runs: the code is read in a sealed process. What is computed at run time is marked dynamic.");
  command->add_option("file", options->code.file, "The program; - reads standard input")->type_name("FILE");
  const Option* code = command->add_option("-e,--eval", options->code.code, "The program itself")->type_name("CODE");
  command->add_option("--lang", options->code.language, "ts or js; by default from the file's extension, else ts")
      ->type_name("LANG");
  add_workspace_flags(*command, options->workspace);
  command->runs([options, code] {
    options->code.has_code = code->was_given();
    options->code.no_config = true;
    return run_plan(*options);
  });
}

}  // namespace glovebox::cli
