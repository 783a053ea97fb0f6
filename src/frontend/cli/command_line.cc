#include "frontend/cli/command_line.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "base/system_error.h"
#include "config/config_file.h"
#include "frontend/cli/config_command.h"
#include "frontend/cli/doctor_command.h"
#include "frontend/cli/exec_command.h"
#include "frontend/cli/exit_codes.h"

namespace glovebox::frontend {
namespace {

constexpr const char* kExecFooter = R"(
The code is the body of an async function: `return` and `await` work, and a bare expression is its value.
It sees `context` (also as `args`), `console`, timers and web classes, and of this machine what is granted.
With --config the file's MCP servers are there as well: `await mcp.<server>.<tool>({...})`. Calls that its permissions
want a person for are asked about on the terminal; without one the run waits (see `glovebox approvals`).

Examples:
  glovebox exec -e '1 + 1'
  glovebox exec report.ts --context '{"year": 2026}' --json
  echo 'return context.length' | glovebox exec - --context '[1,2,3]'
  glovebox exec -e 'while (true) {}' --cpu 200ms

Exit codes: 0 ok, 1 the code failed, 2 usage, 4 the sandbox cannot start, 5 a tool failed, 6 it waits for a person,
7 denied, 8 time, 9 changes not committed, 10 memory, 130 interrupted.)";

// Where a standard stream is closed, the next descriptor would take its number: a socket of ours would receive the
// result. Opened the wrong way round, so that using it still fails and is told.
void occupy_standard_streams() {
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; ++fd) {
    if (::fcntl(fd, F_GETFD) < 0) (void)!::open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

bool asks_for_json(int argc, char** argv) {
  return std::any_of(argv + 1, argv + argc, [](const char* word) { return std::string("--json") == word; });
}

// Instead of an exit code: the program beside this one can do it.
constexpr int kAskNeighbour = -1;

// Whether the file that counts in full connects the code with MCP servers. One that merely lies here does not.
bool wants_servers(const ExecOptions& exec) {
  if (exec.config.empty()) return false;
  const auto config = config::read_config_file(exec.config);
  return config && !config->servers.empty();
}

constexpr const char* kGrants = "Grants (written with a =, several with commas between: --allow-read=./data,./more)";

// Returns those that need a value.
std::vector<CLI::Option*> add_grants(CLI::App& command, GrantFlags& flags) {
  const auto add = [&](const char* name, std::vector<std::string>& values, const char* what, const char* type) {
    return command.add_option(name, values, what)->allow_extra_args(false)->type_name(type)->group(kGrants);
  };
  std::vector<CLI::Option*> grants = {
      add("--allow-read", flags.read, "Files and folders that the code may read", "PATH"),
      add("--allow-write", flags.write, "Files and folders that it may write", "PATH"),
      add("--allow-net", flags.net, "Hosts that it may fetch from; *.example.com for all beneath", "HOST[:PORT]"),
      add("--allow-env", flags.env, "Environment variables that it may see; APP_* for all that begin so", "NAME"),
      add("--allow-run", flags.run, "Programs that it may start, with any arguments", "COMMAND"),
  };
  command.add_flag("--allow-net-private", flags.net_private, "Hosts may be on this machine or in its private network")
      ->group(kGrants);
  command.add_option("--vfs", flags.vfs, "direct: writes are on the disk at once; overlay: in a layer of their own")
      ->type_name("KIND")
      ->group("Files");
  command.add_flag("--commit", flags.commit, "With --vfs=overlay: keep the changes if the code succeeds")
      ->group("Files");
  command.add_flag("--discard", flags.discard, "With --vfs=overlay: show the changes and drop them")->group("Files");
  return grants;
}

void add_limits(CLI::App& command, ExecOptions& exec) {
  const auto add = [&](const char* name, std::string& value, const char* what, const char* type, const char* group) {
    command.add_option(name, value, what)->type_name(type)->group(group);
  };
  add("--timeout", exec.timeout, "Wall-clock limit (30s)", "DURATION", "Limits");
  add("--cpu", exec.cpu, "CPU time limit (none)", "DURATION", "Limits");
  add("--memory", exec.memory, "Memory limit (512MB)", "SIZE", "Limits");
  add("--max-output", exec.max_output, "Limit of the result as JSON (16MB)", "SIZE", "Limits");
  add("--seed", exec.seed, "A run's metrics.seed", "TEXT", "To repeat a run");
  add("--now", exec.now, "A run's metrics.now; milliseconds or ISO 8601", "INSTANT", "To repeat a run");
  add("--degraded", exec.degraded, "Layers that may be missing here (see `glovebox doctor`)", "NAMES", "This machine");
}

// A grant without its value, which the parser would take from the next word: `--allow-read= secret.ts` must not grant
// the program's own file. Deno's bare --allow-read, which grants everything, is refused as well.
std::string find_bare_grant(const CLI::App& exec, const std::vector<CLI::Option*>& grants, int argc, char** argv) {
  for (int i = 2; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--") break;
    const std::string name = word.ends_with('=') ? word.substr(0, word.size() - 1) : word;
    const CLI::Option* option = exec.get_option_no_throw(name);
    if (!option) continue;
    if (std::find(grants.begin(), grants.end(), option) != grants.end()) {
      std::string says = name;
      says.append(" needs a value with a = before it; write ").append(name).append("=").append(option->get_type_name());
      return says;
    }
    if (name == word && option->get_items_expected() > 0) ++i;  // the next word is its value, and no option
  }
  return "";
}

// Options of all commands of this program, kept while the line is parsed and run.
struct OwnOptions {
  ExecOptions exec;
  bool doctor_json = false;
  std::string validated = "glovebox.json";
  bool validate_json = false;
  ConfigImport import;
};

std::vector<CLI::Option*> add_exec(CLI::App& app, OwnOptions& own, Commands& commands,
                                   const std::function<int(const ExecOptions&)>& exec_with_servers) {
  ExecOptions& exec = own.exec;
  CLI::App* command = app.add_subcommand("exec", "Run one TypeScript or JavaScript program in a sealed process");
  command->footer(kExecFooter);
  command->add_option("file", exec.file, "The program; - reads standard input")->type_name("FILE");
  const CLI::Option* code = command->add_option("-e,--eval", exec.code, "The program itself")->type_name("CODE");
  command->add_option("--lang", exec.language, "ts or js; by default by the file's ending, else ts")->type_name("LANG");
  command->add_option("--context", exec.context, "What the code sees as `context`: JSON, or @FILE")->type_name("JSON");
  command->add_flag("--json", exec.json, "Print the whole ExecutionResult as one JSON object");
  command->add_option("--config", exec.config, "Take limits, grants and MCP servers from a file (see docs/config.md)")
      ->type_name("FILE");
  command->add_flag("--no-config", exec.no_config, "Leave the glovebox.json of the current folder alone");
  std::vector<CLI::Option*> grants = add_grants(*command, exec.grants);
  add_limits(*command, exec);
  commands.add(command, [&exec, code, exec_with_servers] {
    exec.has_code = code->count() > 0;
    return wants_servers(exec) ? exec_with_servers(exec) : run_exec(exec);
  });
  return grants;
}

void add_doctor(CLI::App& app, OwnOptions& own, Commands& commands) {
  CLI::App* command = app.add_subcommand("doctor", "Show which confinement layers this machine has");
  command->add_flag("--json", own.doctor_json, "Print one JSON object");
  commands.add(command, [&own] { return run_doctor(own.doctor_json); });
}

void add_config(CLI::App& app, OwnOptions& own, Commands& commands) {
  CLI::App* command = app.add_subcommand("config", "Work with config files (see docs/config.md)");
  command->require_subcommand(1);
  CLI::App* validate = command->add_subcommand("validate", "Say what is wrong with a config file");
  validate->add_option("file", own.validated, "By default glovebox.json in the current folder")->type_name("FILE");
  validate->add_flag("--json", own.validate_json, "Print one JSON object");
  commands.add(validate, [&own] { return run_config_validate(own.validated, own.validate_json); });

  CLI::App* import = command->add_subcommand("import", "Take over MCP servers from another program's config file");
  import->add_option("file", own.import.file, "Of Claude Desktop, Cursor, VS Code or another client")
      ->type_name("FILE")
      ->required();
  import->add_option("--config", own.import.into, "The file to add them to; by default the workspace's glovebox.json")
      ->type_name("FILE");
  import->add_option("--workspace", own.import.workspace, "By default the current folder")->type_name("DIR");
  import->add_flag("--force", own.import.force, "Replace servers that are there already");
  import->add_flag("--json", own.import.json, "Print one JSON object");
  commands.add(import, [&own] { return run_config_import(own.import); });
}

int parse_and_run(int argc, char** argv, const std::function<void(CLI::App&, Commands&)>& add_more,
                  const std::function<int(const ExecOptions&)>& exec_with_servers) {
  occupy_standard_streams();
  CLI::App app("Runs code that AI agents write, without trusting it.", "glovebox");
  app.set_version_flag("--version", "glovebox " GLOVEBOX_VERSION);
  app.require_subcommand(1);
  OwnOptions own;
  Commands commands;
  const std::vector<CLI::Option*> grants = add_exec(app, own, commands, exec_with_servers);
  add_doctor(app, own, commands);
  add_config(app, own, commands);
  add_more(app, commands);

  if (argc > 1 && std::string("exec") == argv[1]) {
    const std::string bare = find_bare_grant(*app.get_subcommand("exec"), grants, argc, argv);
    if (!bare.empty()) return report_usage_error(bare, asks_for_json(argc, argv));
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& asked_for_help) {
    return app.exit(asked_for_help);
  } catch (const CLI::ParseError& error) {
    const bool json = asks_for_json(argc, argv);
    std::string what = error.what();
    // CLI11 finds the missing command before it looks at the word that was meant to be one.
    if (app.get_subcommands().empty() && argc > 1 && argv[1][0] != '-')
      what = std::string("there is no command ") + argv[1];
    return report_usage_error(what + "\nRun `glovebox --help` for the commands.", json);
  }
  return commands.run();
}

// Goes on as the program beside this one. Returns only if that is impossible.
int become_neighbour(char** argv, bool json) {
  std::string path(4096, '\0');
  const ssize_t size = ::readlink("/proc/self/exe", path.data(), path.size());
  path.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
  path = path.substr(0, path.rfind('/') + 1) + "glovebox-gateway";
  ::execv(path.c_str(), argv);
  const std::string why = base::system_failure(errno, "this command needs " + path).message;
  return report_usage_error(why, json);
}

constexpr NeighbourCommand kNeighbourCommands[] = {
    {"serve", "Stand between an agent and MCP servers"},
    {"server", "List, add, remove and test MCP servers"},
    {"tools", "List, inspect, call and approve the tools of MCP servers"},
    {"permissions", "Explain which tool calls are allowed"},
    {"approvals", "Answer what runs wait for"},
    {"runs", "Look at runs"},
    {"audit", "Read and verify the audit log"},
    {"plan", "Show which tools a program can call"},
};

}  // namespace

int Commands::run() const {
  // Inner commands are added after their outer ones.
  for (auto command = all_.rbegin(); command != all_.rend(); ++command)
    if (command->first->parsed()) return command->second();
  return kUsage;
}

std::span<const NeighbourCommand> neighbour_commands() {
  return kNeighbourCommands;
}

int run_light_command_line(int argc, char** argv) {
  const bool json = asks_for_json(argc, argv);
  if (argc > 1)
    for (const NeighbourCommand& command : kNeighbourCommands)
      if (std::string(command.name) == argv[1]) return become_neighbour(argv, json);
  const auto list_others = [](CLI::App& app, Commands&) {
    for (const NeighbourCommand& command : kNeighbourCommands) app.add_subcommand(command.name, command.what);
  };
  const int code = parse_and_run(argc, argv, list_others, [](const ExecOptions&) { return kAskNeighbour; });
  return code == kAskNeighbour ? become_neighbour(argv, json) : code;
}

int run_command_line(int argc, char** argv, const std::function<void(CLI::App&, Commands&)>& add_more,
                     const std::function<int(const ExecOptions&)>& exec_with_servers) {
  return parse_and_run(argc, argv, add_more, exec_with_servers);
}

}  // namespace glovebox::frontend
