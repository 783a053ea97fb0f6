#include "app/command_line.h"

#include <errno.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "app/standard_streams.h"
#include "base/program_part.h"
#include "base/system_error.h"
#include "cli/config/config_command.h"
#include "cli/doctor/doctor_command.h"
#include "cli/exec/exec_command.h"
#include "config/config_file.h"
#include "jail/launcher.h"
#include "terminal/command.h"
#include "terminal/exit_codes.h"

namespace glovebox::cli {
namespace {

constexpr const char* kFooter = R"(
To begin, in a project's folder:
  glovebox doctor                 check this machine
  glovebox init                   import the MCP servers of your clients
  glovebox connect claude-code    make a client use them through Glovebox

`glovebox COMMAND --help` explains a command; docs/README.md lists the documentation.)";

constexpr const char* kExecFooter = R"(
The code is the body of an async function: `return` and `await` work, and a bare expression is its value.
It sees `context` (also as `args`), `console`, timers and web classes, and only what is granted of this machine.
With --config it can also call the file's MCP servers: `await mcp.<server>.<tool>({...})`. Calls that need a person's
approval are asked about on the terminal; without a terminal the run waits (see `glovebox approvals`).

Examples:
  glovebox exec -e '1 + 1'
  glovebox exec report.ts --context '{"year": 2026}' --json
  echo 'return context.length' | glovebox exec - --context '[1,2,3]'
  glovebox exec -e 'while (true) {}' --cpu 200ms

With GLOVEBOX_STANDBY=60s in the environment it leaves an engine for the next one, which then takes half the time.

Exit codes: 0 ok, 1 the code failed, 2 usage, 4 the sandbox cannot start, 5 a tool failed, 6 waiting for a person,
7 denied, 8 time, 9 changes not committed, 10 memory, 130 interrupted.)";

bool asks_for_json(int argc, char** argv) {
  return std::any_of(argv + 1, argv + argc, [](const char* word) { return std::string("--json") == word; });
}

// Instead of an exit code: the program beside this one can do it.
constexpr int kAskNeighbour = -1;

// Whether the file that counts in full connects the code with MCP servers or capabilities, or its types are to be
// checked. A file that is merely present does not.
bool wants_gateway(const ExecOptions& exec) {
  if (exec.remote) return true;
  if (!exec.check.empty()) return true;  // the checker is with the gateway
  if (exec.privacy) return true;         // so is the filter
  if (exec.config.empty()) return false;
  const auto config = config::read_config_file(exec.config);
  return config && (!config->servers.empty() || !config->gateway.registry.empty());
}

constexpr const char* kGrants = "Grants (written with =, several separated by commas: --allow-read=./data,./more)";

// Returns those that need a value.
std::vector<Option*> add_grants(Command& command, GrantFlags& flags) {
  const auto add = [&](const char* name, std::vector<std::string>& values, const char* what, const char* type) {
    return command.add_option(name, values, what)->one_at_a_time()->type_name(type)->group(kGrants);
  };
  std::vector<Option*> grants = {
      add("--allow-read", flags.read, "Files and folders that the code may read", "PATH"),
      add("--allow-write", flags.write, "Files and folders that it may write", "PATH"),
      add("--allow-net", flags.net, "Hosts that it may fetch from; *.example.com for all subdomains", "HOST[:PORT]"),
      add("--allow-env", flags.env, "Environment variables that it may see; APP_* for all with that prefix", "NAME"),
      add("--allow-run", flags.run, "Programs that it may start, with any arguments", "COMMAND"),
      add("--python-allow-import", flags.python_imports, "Modules of Python's blocked list that it may import", "NAME"),
  };
  command.add_flag("--allow-net-private", flags.net_private, "Hosts may be on this machine or in its private network")
      ->group(kGrants);
  command.add_option("--vfs", flags.vfs, "direct: writes go to the disk at once; overlay: to a separate layer")
      ->type_name("KIND")
      ->group("Files");
  command.add_flag("--commit", flags.commit, "With --vfs=overlay: keep the changes if the code succeeds")
      ->group("Files");
  command.add_flag("--discard", flags.discard, "With --vfs=overlay: show the changes and drop them")->group("Files");
  return grants;
}

void add_limits(Command& command, ExecOptions& exec) {
  const auto add = [&](const char* name, std::string& value, const char* what, const char* type, const char* group) {
    command.add_option(name, value, what)->type_name(type)->group(group);
  };
  add("--timeout", exec.timeout, "Wall-clock limit of its own work, without the time in tools (30s)", "DURATION",
      "Limits");
  add("--cpu", exec.cpu, "CPU time limit (that of --timeout; Python 5s)", "DURATION", "Limits");
  add("--memory", exec.memory, "Memory limit (512MB; Python 128MB)", "SIZE", "Limits");
  add("--max-output", exec.max_output, "Limit of the result as JSON (16MB)", "SIZE", "Limits");
  add("--seed", exec.seed, "Random seed; copy metrics.seed from an earlier run to repeat it", "TEXT",
      "To repeat a run");
  add("--now", exec.now, "Start of the clock; copy metrics.now, or write ISO 8601", "INSTANT", "To repeat a run");
  add("--degraded", exec.degraded, "Layers that may be missing here (see `glovebox doctor`)", "NAMES", "This machine");
}

// A grant without its value, which the parser would take from the next word: `--allow-read= secret.ts` must not grant
// the program's own file. Deno's bare --allow-read, which grants everything, is refused as well.
std::string find_bare_grant(const Command& exec, const std::vector<Option*>& grants, int argc, char** argv) {
  for (int i = 2; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--") break;
    const std::string name = word.ends_with('=') ? word.substr(0, word.size() - 1) : word;
    const auto option = exec.find_option(name);
    if (!option) continue;
    if (std::any_of(grants.begin(), grants.end(), [&](const Option* grant) { return *grant == *option; }))
      return name + " needs a value after =; write " + name + "=" + option->type();
    if (name == word && option->takes_value()) ++i;  // the next word is its value, and no option
  }
  return "";
}

// Options of all commands of this program, kept while the line is parsed and run.
struct OwnOptions {
  ExecOptions exec;
  bool doctor_json = false;
  std::string validated = "glovebox.json";
  bool validate_json = false;
  ConfigImport imported;
};

// The command, and its options that grant.
struct ExecCommand {
  const Command* command;
  std::vector<Option*> grants;
};

ExecCommand add_exec(Command& app, OwnOptions& own, const std::function<int(const ExecOptions&)>& exec_with_servers) {
  ExecOptions& exec = own.exec;
  Command* command = app.add_subcommand("exec", "Run one TypeScript, JavaScript or Python program in a sealed process");
  command->footer(kExecFooter);
  command->add_option("file", exec.file, "The program; - reads standard input")->type_name("FILE");
  const Option* code = command->add_option("-e,--eval", exec.code, "The program itself")->type_name("CODE");
  command->add_option("--lang", exec.language, "ts, js or py; by default from the file's extension, else ts")
      ->type_name("LANG");
  command->add_option("--context", exec.context, "What the code sees as `context`: JSON, or @FILE")->type_name("JSON");
  command->add_flag("--json", exec.json, "Print the whole ExecutionResult as one JSON object");
  command->add_option("--config", exec.config, "Take limits, grants and MCP servers from a file (see docs/config.md)")
      ->type_name("FILE");
  command
      ->add_option("--check", exec.check,
                   "Check types before the run (tools where the code has servers, else off); see docs/serve.md")
      ->type_name("MODE")
      ->one_of({"off", "warn", "tools", "strict"});
  command->add_flag("--privacy", exec.privacy, "Print tokens in place of private data (see docs/privacy.md)");
  command->add_flag("--no-pii-protection", exec.no_pii_protection, "Print everything, whatever the config says")
      ->excludes("--privacy");
  command->add_flag("--no-cache", exec.no_cache, "Ignore cached results");
  command->add_option("--artifacts", exec.artifacts, "Save what the code emits to this folder")->type_name("DIR");
  command->add_flag("--remote", exec.remote,
                    "Send it to the remote gateway of --config; code that needs tools of this machine runs here");
  command->add_flag("--no-config", exec.no_config, "Ignore the glovebox.json of the current folder");
  std::vector<Option*> grants = add_grants(*command, exec.grants);
  add_limits(*command, exec);
  command->runs([&exec, code, exec_with_servers] {
    exec.has_code = code->was_given();
    const auto& early = jail::ZygoteProcess::started_early();
    if (early && !early->is_greeted()) exec.engine = early->pid();
    return wants_gateway(exec) ? exec_with_servers(exec) : run_exec(exec);
  });
  return {command, std::move(grants)};
}

void add_doctor(Command& app, OwnOptions& own) {
  Command* command =
      app.add_subcommand("doctor", "Check what works on this machine, what is missing and how to fix it");
  command->add_flag("--json", own.doctor_json, "Print one JSON object");
  command->runs([&own] { return run_doctor(own.doctor_json); });
}

void add_config(Command& app, OwnOptions& own) {
  Command* command = app.add_subcommand("config", "Work with config files (see docs/config.md)");
  command->require_subcommand();
  Command* validate = command->add_subcommand("validate", "Check a config file for mistakes");
  validate->add_option("file", own.validated, "By default glovebox.json in the current folder")->type_name("FILE");
  validate->add_flag("--json", own.validate_json, "Print one JSON object");
  validate->runs([&own] { return run_config_validate(own.validated, own.validate_json); });

  Command* explain = command->add_subcommand("explain", "Show every limit and grant that code has with a config file");
  explain->add_option("file", own.validated, "By default glovebox.json in the current folder")->type_name("FILE");
  explain->add_flag("--json", own.validate_json, "Print one JSON object");
  explain->runs([&own] { return run_config_explain(own.validated, own.validate_json); });

  Command* schema = command->add_subcommand("schema", "Print the JSON Schema of glovebox.json, for editors");
  schema->runs([] { return run_config_schema(); });

  Command* importing = command->add_subcommand("import", "Import MCP servers from another program's config file");
  importing
      ->add_option("file", own.imported.file, "The config file of Claude Desktop, Cursor, VS Code or another client")
      ->type_name("FILE")
      ->required();
  importing
      ->add_option("--config", own.imported.into, "The file to add them to; by default the workspace's glovebox.json")
      ->type_name("FILE");
  importing->add_option("--workspace", own.imported.workspace, "By default the current folder")->type_name("DIR");
  importing->add_flag("--force", own.imported.force, "Replace existing servers");
  importing->add_flag("--json", own.imported.json, "Print one JSON object");
  importing->runs([&own] { return run_config_import(own.imported); });
}

int parse_and_run(int argc, char** argv, const std::function<void(Command&)>& add_more,
                  const std::function<int(const ExecOptions&)>& exec_with_servers) {
  occupy_standard_streams();
  Command program("glovebox", "Runs code that AI agents write, without trusting it.", "glovebox " GLOVEBOX_VERSION);
  program.require_subcommand();
  program.footer(kFooter);
  OwnOptions own;
  const ExecCommand exec = add_exec(program, own, exec_with_servers);
  add_doctor(program, own);
  add_config(program, own);
  add_more(program);

  const bool json = asks_for_json(argc, argv);
  if (argc > 1 && std::string("exec") == argv[1]) {
    const std::string bare = find_bare_grant(*exec.command, exec.grants, argc, argv);
    if (!bare.empty()) return report_usage_error(bare, json);
  }
  return program.parse_and_run(argc, argv, [json](const std::string& what, const std::string& command) {
    const char* has = command == "glovebox" ? "for the commands." : "for its options.";
    return report_usage_error(what + "\nRun `" + command + " --help` " + has, json);
  });
}

// Goes on as the program beside this one. Returns only if that is impossible.
int become_neighbour(char** argv, bool json) {
  const std::string path = base::program_part("glovebox-gateway");
  jail::ZygoteProcess::started_early().reset();  // it would be a child that the other program does not know
  ::execv(path.c_str(), argv);
  const std::string why =
      base::system_failure(errno, "this command needs " + path).message + "; " + base::kIncompleteCopy;
  return report_usage_error(why, json);
}

// `help`, `help serve` and `version`, as people type them, in the program's own words.
std::vector<char*> in_own_words(int argc, char** argv) {
  static char help[] = "--help";
  static char version[] = "--version";
  std::vector<char*> words(argv, argv + argc);
  if (argc < 2) return words;
  const std::string first = argv[1];
  if (first == "version") words = {argv[0], version};
  if (first != "help") return words;
  words.erase(words.begin() + 1);
  words.push_back(help);
  return words;
}

// A command that the program beside this one has: it links what this one is too light for.
struct NeighbourCommand {
  const char* name;
  const char* what;
};

constexpr NeighbourCommand kNeighbourCommands[] = {
    {"init", "Create a glovebox.json from the MCP servers of other clients"},
    {"connect", "Make an MCP client use Glovebox instead of its servers"},
    {"serve", "Run the MCP gateway between an agent and its servers"},
    {"server", "List, add, remove and test MCP servers"},
    {"tools", "List, find, inspect, call and approve the tools of MCP servers"},
    {"trust", "Review what a workspace's config asks for, and trust it"},
    {"permissions", "Show rules, and explain what they say about a tool call"},
    {"approvals", "List and answer approval requests"},
    {"token", "Create and revoke tokens for HTTP clients"},
    {"run", "Run a workflow: a DAG of tools and code"},
    {"runs", "Inspect runs, and control workflows"},
    {"test", "Replay recorded runs and show what changed"},
    {"audit", "Read and verify the audit log: what was done, by whom and with whose approval"},
    {"trace", "Show where the time of a run went"},
    {"top", "Watch runs, guests, servers and rates"},
    {"ui", "Open a page that shows runs and answers approval requests"},
    {"store", "Check, prune and move the store of runs and workflows"},
    {"cache", "List, inspect and purge cached results"},
    {"nodes", "Show the gateways that share this store"},
    {"plan", "Show which tools a program can call"},
    {"capability", "Add, run and publish capabilities"},
    {"route", "Explain where a call in code is routed"},
    {"privacy", "Find private data and secrets in a text (see docs/privacy.md)"},
};

}  // namespace

int run_light_command_line(int argc, char** argv) {
  std::vector<char*> words = in_own_words(argc, argv);
  argc = static_cast<int>(words.size());
  words.push_back(nullptr);
  argv = words.data();
  const bool json = asks_for_json(argc, argv);
  if (argc > 1)
    for (const NeighbourCommand& command : kNeighbourCommands)
      if (std::string(command.name) == argv[1]) return become_neighbour(argv, json);
  const auto list_others = [](Command& app) {
    for (const NeighbourCommand& command : kNeighbourCommands) app.add_subcommand(command.name, command.what);
  };
  const int code = parse_and_run(argc, argv, list_others, [](const ExecOptions&) { return kAskNeighbour; });
  return code == kAskNeighbour ? become_neighbour(argv, json) : code;
}

int run_command_line(int argc, char** argv, const std::function<void(Command&)>& add_more,
                     const std::function<int(const ExecOptions&)>& exec_with_servers) {
  return parse_and_run(argc, argv, add_more, exec_with_servers);
}

}  // namespace glovebox::cli
