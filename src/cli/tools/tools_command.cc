#include "cli/tools/tools_command.h"

#include <unistd.h>

#include <cstdio>

#include "base/text/json_text.h"
#include "base/whole_file.h"
#include "cli/session/catalog_run.h"
#include "cli/tools/tool_approval.h"
#include "cli/tools/tools_eval.h"
#include "cli/tools/tools_search.h"
#include "cli/tools/types_command.h"
#include "terminal/command.h"
#include "terminal/exit_codes.h"
#include "terminal/quantities.h"
#include "workspace/report.h"

namespace glovebox::cli {
namespace {

using catalog::Tool;

struct ToolsOptions {
  WorkspaceFlags where;
  std::string server;
  std::string tool;
  std::string arguments = "{}";
  std::string timeout;
  TypesOptions types;
  std::string token;
};

constexpr std::size_t kMostArgumentBytes = 8 << 20;

const char* state_word(Tool::State state) {
  switch (state) {
    case Tool::State::kUsable: return "usable";
    case Tool::State::kQuarantined: return "quarantined";
    case Tool::State::kRefused: return "refused";
  }
  return "";
}

std::string tool_json(const Tool& tool, bool schemas) {
  ObjectText out;
  out.text("server", tool.server).text("name", tool.name).text("state", state_word(tool.state));
  out.text_if("alias", tool.alias).text_if("title", tool.title).text("description", tool.description);
  out.text_if("reason", tool.reason).text_if("hash", tool.hash);
  if (schemas) {
    out.json_if("inputSchema", tool.input_schema).json_if("outputSchema", tool.output_schema);
    out.json_if("annotations", tool.annotations);
  }
  return out.done();
}

// As the servers list them now: each of them is started.
int list_tools(const ToolsOptions& options) {
  const bool json = options.where.json;
  const auto workspace = open_workspace(options.where);
  if (!workspace) return fail_usage(workspace.failure().message, json);
  if (!json && workspace->config.servers.empty()) explain_missing_servers(*workspace);
  CatalogRun run(*workspace);
  ListText tools;
  ListingFailures failures = list_servers(run, options.server, [&](const Tool& tool) {
    if (json) {
      tools.json(tool_json(tool, false));
      return;
    }
    std::string line = tool.server + "." + tool.name;
    if (tool.state == Tool::State::kUsable) {
      if (line.size() < 36) line.resize(36, ' ');
      print_line(line + "  " + first_line(tool.description, 100));
    } else {
      const bool waits = tool.state == Tool::State::kQuarantined;
      print_line(line + "  (" + state_word(tool.state) + ": " + tool.reason + ")" +
                 (waits ? "; glovebox tools approve " + tool.server + "." + tool.name + " shows it" : ""));
    }
  });
  ObjectText out;
  out.flag("ok", failures.exit_code == kOk).json("tools", tools.done()).json("failures", failures.list.done());
  if (json) print_json(out.done());
  return failures.exit_code;
}

// Opens the workspace and splits the name, as all commands about one tool begin.
struct OneTool {
  Workspace workspace;
  ToolName name;
};
Result<OneTool> open_tool(const ToolsOptions& options) {
  auto workspace = open_workspace(options.where);
  if (!workspace) return std::move(workspace).failure();
  auto name = split_tool_name(options.tool);
  if (!name)
    return Failure{ErrorCode::kInvalidArgument, options.tool + " is not SERVER.TOOL, such as github.list_commits"};
  return OneTool{std::move(workspace).value(), std::move(*name)};
}

int inspect_tool(const ToolsOptions& options) {
  const bool json = options.where.json;
  const auto one = open_tool(options);
  if (!one) return fail_usage(one.failure().message, json);
  CatalogRun run(one->workspace);
  const auto tool = run.find(one->name.server, one->name.tool);
  if (!tool) return fail_call(tool.failure(), json);
  if (json) {
    print_json(ObjectText().flag("ok", true).json("tool", tool_json(*tool, true)).done());
    return kOk;
  }
  print_line(tool->server + "." + tool->name + (tool->title.empty() ? "" : "  " + tool->title));
  if (!tool->alias.empty()) print_line("also: " + tool->server + "." + tool->alias);
  if (tool->state != Tool::State::kUsable || !tool->reason.empty())
    print_line(std::string(state_word(tool->state)) + ": " + tool->reason);
  print_line(tool->hash);
  if (!tool->description.empty()) print_line("\n" + tool->description);
  const auto part = [](const char* title, const std::string& text) {
    if (!text.empty()) print_line("\n" + std::string(title) + ":\n" + base::pretty_json(text));
  };
  part("Arguments", tool->input_schema);
  part("Result", tool->output_schema);
  part("Hints of the server, which grant nothing", tool->annotations);
  return kOk;
}

Result<std::string> read_arguments(const std::string& given) {
  if (!given.starts_with('@')) return given;
  return base::read_whole_file(given.substr(1), kMostArgumentBytes);
}

int call_tool(const ToolsOptions& options) {
  const bool json = options.where.json;
  const auto one = open_tool(options);
  if (!one) return fail_usage(one.failure().message, json);
  const auto arguments = read_arguments(options.arguments);
  if (!arguments) return fail_usage(arguments.failure().message, json);
  catalog::CallOptions call_options;
  if (!options.timeout.empty()) {
    const auto timeout = parse_duration(options.timeout);
    if (!timeout) return fail_usage(timeout.failure().message, json);
    call_options.timeout = *timeout;
  }
  if (::isatty(STDERR_FILENO))
    call_options.on_progress = [](double progress, std::optional<double> total, std::string_view message) {
      std::string line = "… " + std::to_string(static_cast<long long>(progress));
      if (total) line += "/" + std::to_string(static_cast<long long>(*total));
      print_note(line + " " + std::string(message));
    };
  CatalogRun run(one->workspace);
  const auto tool = run.find(one->name.server, one->name.tool);
  if (!tool) return fail_call(tool.failure(), json);
  const auto result = run.call(*tool, *arguments, std::move(call_options));
  if (!result) return fail_call(result.failure(), json, tool->server + "." + tool->name);
  if (json) {
    print_json(ObjectText().flag("ok", true).json("result", result->json).done());
  } else {
    print_json(base::pretty_json(result->json));
  }
  return kOk;
}

}  // namespace

void add_tools_command(Command& app) {
  const auto options = std::make_shared<ToolsOptions>();
  Command* command = app.add_subcommand("tools", "List, find, inspect, call and approve the tools of MCP servers");
  command->require_subcommand();
  const auto add = [&](const char* name, const char* what, int (*run)(const ToolsOptions&)) {
    Command* inner = command->add_subcommand(name, what);
    add_workspace_flags(*inner, options->where);
    inner->runs([options, run] { return run(*options); });
    return inner;
  };
  const auto name_of = [&](Command* inner, const char* what, const char* type) {
    inner->add_option("tool", options->tool, what)->type_name(type)->required();
  };
  add("ls", "List the tools of all servers", list_tools)
      ->add_option("--server", options->server, "Only of this server")
      ->type_name("NAME");
  add_tools_search(*command);
  name_of(add("inspect", "Show a tool's definition", inspect_tool), "The tool", "SERVER.TOOL");
  Command* typing = add("types", "Show the declarations that code is checked against",
                        [](const ToolsOptions& given) { return print_types(given.where, given.types); });
  typing->add_option("pattern", options->types.pattern, "SERVER, SERVER.TOOL or SERVER.PREFIX*; all tools")
      ->type_name("PATTERN");
  typing->add_flag("--python", options->types.python, "As Python stubs (.pyi)");
  typing->add_flag("--compact", options->types.compact, "As agents see them, in few tokens");
  Command* calling = add("call", "Call a tool yourself; the policy is for agents and does not apply", call_tool);
  name_of(calling, "The tool", "SERVER.TOOL");
  calling->add_option("--args", options->arguments, "Its arguments: a JSON object, or @FILE")->type_name("JSON");
  calling->add_option("--timeout", options->timeout, "How long to wait for an answer (30s)")->type_name("DURATION");
  Command* approving =
      add("approve", "Show what has changed in a quarantined definition, and pin it; asks at the terminal",
          [](const ToolsOptions& given) {
            return approve_tools({given.where, given.tool, given.token});
          });
  name_of(approving, "The tool, or a server for all of its tools", "SERVER.TOOL");
  approving->add_option("--token", options->token, "An operator's token, instead of a terminal")
      ->type_name("TOKEN")
      ->from_variable("GLOVEBOX_APPROVER_TOKEN");
  add_tools_eval_command(*command);
}

}  // namespace glovebox::cli
