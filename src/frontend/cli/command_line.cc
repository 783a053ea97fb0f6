#include "frontend/cli/command_line.h"

#include <fcntl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "frontend/cli/config_command.h"
#include "frontend/cli/doctor_command.h"
#include "frontend/cli/exec_command.h"
#include "frontend/cli/exit_codes.h"

namespace glovebox::frontend {
namespace {

constexpr const char* kExecFooter = R"(
The code is the body of an async function: `return` and `await` work, and a bare expression is its value.
It sees `context` (also as `args`), `console`, timers and web classes, and of this machine what is granted.

Examples:
  glovebox exec -e '1 + 1'
  glovebox exec report.ts --context '{"year": 2026}' --json
  echo 'return context.length' | glovebox exec - --context '[1,2,3]'
  glovebox exec -e 'while (true) {}' --cpu 200ms

Exit codes: 0 ok, 1 the code failed, 2 usage, 4 the sandbox cannot start, 7 denied, 8 time, 10 memory, 130 interrupted.)";

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

}  // namespace

int run_command_line(int argc, char** argv) {
  occupy_standard_streams();
  CLI::App app("Runs code that AI agents write, without trusting it.", "glovebox");
  app.set_version_flag("--version", "glovebox " GLOVEBOX_VERSION);
  app.require_subcommand(1);

  ExecOptions exec;
  CLI::App* exec_command = app.add_subcommand("exec", "Run one TypeScript or JavaScript program in a sealed process");
  exec_command->footer(kExecFooter);
  exec_command->add_option("file", exec.file, "The program; - reads standard input")->type_name("FILE");
  CLI::Option* code = exec_command->add_option("-e,--eval", exec.code, "The program itself")->type_name("CODE");
  exec_command->add_option("--lang", exec.language, "ts or js; by default by the file's ending, else ts")
      ->type_name("LANG");
  exec_command->add_option("--context", exec.context, "What the code sees as `context`: JSON, or @FILE")
      ->type_name("JSON");
  exec_command->add_flag("--json", exec.json, "Print the whole ExecutionResult as one JSON object");
  exec_command->add_option("--config", exec.config, "Take limits and grants from a file (see docs/config.md)")
      ->type_name("FILE");
  exec_command->add_flag("--no-config", exec.no_config, "Leave the glovebox.json of the current folder alone");
  const std::vector<CLI::Option*> grants = add_grants(*exec_command, exec.grants);
  add_limits(*exec_command, exec);

  bool doctor_json = false;
  CLI::App* doctor_command = app.add_subcommand("doctor", "Show which confinement layers this machine has");
  doctor_command->add_flag("--json", doctor_json, "Print one JSON object");

  CLI::App* config_command = app.add_subcommand("config", "Work with config files (see docs/config.md)");
  config_command->require_subcommand(1);
  std::string validated = "glovebox.json";
  bool validate_json = false;
  CLI::App* validate_command = config_command->add_subcommand("validate", "Say what is wrong with a config file");
  validate_command->add_option("file", validated, "By default glovebox.json in the current folder")->type_name("FILE");
  validate_command->add_flag("--json", validate_json, "Print one JSON object");

  if (argc > 1 && std::string("exec") == argv[1]) {
    const std::string bare = find_bare_grant(*exec_command, grants, argc, argv);
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
  if (*doctor_command) return run_doctor(doctor_json);
  if (*config_command) return run_config_validate(validated, validate_json);
  exec.has_code = code->count() > 0;
  return run_exec(exec);
}

}  // namespace glovebox::frontend
