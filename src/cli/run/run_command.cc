#include "cli/run/run_command.h"

#include <memory>

#include "base/try.h"
#include "base/whole_file.h"
#include "cli/session/workflow_session.h"
#include "mcp/json/json_tree.h"
#include "terminal/command.h"
#include "terminal/exit_codes.h"
#include "workflow/place.h"
#include "workspace/open_store.h"
#include "workspace/report.h"

namespace glovebox::cli {
namespace {

constexpr const char* kRunFooter = R"(
FILE is JSON; comments are allowed: {"tasks": [{"id": "list", "type": "mcp_tool", "tool": "fs:list_directory",
"arguments": {"path": "."}}, {"id": "count", "type": "code_execution", "code": "return deps.list.output.length",
"dependencies": ["list"]}]}. It is checked as a whole before anything runs. Every step is stored: after a crash or
Ctrl-C, `glovebox runs resume` or `glovebox serve` resumes the workflow. See docs/workflows.md.

Exit codes: 0 finished, 2 the file is invalid, 3 finished except for tasks that failed without an effect,
5 a task failed, 6 waiting for a person, 7 denied, 8 a task took too long, 9 aborted, 10 a task used too much memory.)";

constexpr std::size_t kMostInputBytes = std::size_t{16} << 20;

struct RunOptions {
  WorkspaceFlags where;
  std::string file;
  std::string input;
  bool check = false;
};

// JSON, or @FILE with JSON.
Result<mcp::json::value> read_input(const std::string& text) {
  if (text.empty()) return mcp::json::value(mcp::json::object());
  std::string json = text;
  if (text.front() == '@') json = GLOVEBOX_TRY(base::read_whole_file(text.substr(1), kMostInputBytes));
  auto tree = mcp::parse_tree(json);
  if (!tree) return Failure{ErrorCode::kInvalidArgument, "--input is not JSON: " + tree.failure().message};
  return tree;
}

int run_file(const RunOptions& options) {
  const bool json = options.where.json;
  auto text = base::read_whole_file(options.file, kMostInputBytes);
  if (!text) return fail_usage(text.failure().message, json);
  auto parsed = workflow::DefinitionFile::parse(options.file, std::move(text).value());
  if (!parsed) return fail_usage(parsed.failure().message, json);
  const auto file = std::make_shared<workflow::DefinitionFile>(std::move(parsed).value());
  // What is wrong with the file itself needs no servers.
  if (const auto read = workflow::read_definition(file->tree); !read) {
    return fail_usage(file->describe(read.failure()), json);
  }
  const auto input = read_input(options.input);
  if (!input) return fail_usage(input.failure().message, json);
  WorkflowSession session(options.where, true);
  return session.run([&options, file, input = input.value()](WorkflowSession& session) {
    session.process().workflows().validate(
        file->tree, [&options, &session, file, input](Result<workflow::Definition, workflow::Problems> read) {
          if (!read) return session.fail(kUsage, "INVALID_WORKFLOW", file->describe(read.failure()));
          if (options.check) {
            if (options.where.json) print_json(R"({"ok":true})");
            return session.done(kOk);
          }
          workflow::StartRequest request;
          request.definition = std::move(read).value();
          request.input = input;
          request.client = this_person();
          session.process().workflows().start(std::move(request), [&options, &session](const Result<std::string>& id) {
            if (!id) return session.fail(kUnreachable, "STORE_UNAVAILABLE", id.failure().message);
            if (!options.where.json) print_note("workflow " + id.value());
            session.follow(id.value());
          });
        });
  });
}

}  // namespace

void add_run_command(Command& app) {
  const auto options = std::make_shared<RunOptions>();
  Command* command = app.add_subcommand("run", "Run a workflow: a DAG of tools and code");
  command->footer(kRunFooter);
  add_workspace_flags(*command, options->where);
  command->add_option("file", options->file, "The workflow")->type_name("FILE")->required();
  command->add_option("--input", options->input, "What $INPUT refers to")->type_name("JSON|@FILE");
  command->add_flag("--check", options->check, "Only validate it");
  command->runs([options] { return run_file(*options); });
}

}  // namespace glovebox::cli
