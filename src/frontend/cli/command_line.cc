#include "frontend/cli/command_line.h"

#include <fcntl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <string>

#include "frontend/cli/doctor_command.h"
#include "frontend/cli/exec_command.h"
#include "frontend/cli/exit_codes.h"

namespace glovebox::frontend {
namespace {

constexpr const char* kExecFooter = R"(
The code is the body of an async function: `return` and `await` work, and a bare expression is its value.
It sees `context` (also as `args`), `console`, timers and web classes, and nothing of this machine.

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
  exec_command->add_option("--timeout", exec.timeout, "Wall-clock limit (30s)")->type_name("DURATION");
  exec_command->add_option("--cpu", exec.cpu, "CPU time limit (none)")->type_name("DURATION");
  exec_command->add_option("--memory", exec.memory, "Memory limit (512MB)")->type_name("SIZE");
  exec_command->add_option("--max-output", exec.max_output, "Limit of the result as JSON (16MB)")->type_name("SIZE");
  exec_command->add_option("--seed", exec.seed, "Repeat a run: its metrics.seed")->type_name("TEXT");
  exec_command->add_option("--now", exec.now, "Repeat a run: its metrics.now; milliseconds or ISO 8601")
      ->type_name("INSTANT");
  exec_command->add_option("--degraded", exec.degraded, "Layers that may be missing here (see `glovebox doctor`)")
      ->type_name("NAMES");
  exec_command->add_flag("--json", exec.json, "Print the whole ExecutionResult as one JSON object");

  bool doctor_json = false;
  CLI::App* doctor_command = app.add_subcommand("doctor", "Show which confinement layers this machine has");
  doctor_command->add_flag("--json", doctor_json, "Print one JSON object");

  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& asked_for_help) {
    return app.exit(asked_for_help);
  } catch (const CLI::ParseError& error) {
    const bool json =
        std::any_of(argv + 1, argv + argc, [](const char* word) { return std::string("--json") == word; });
    std::string what = error.what();
    // CLI11 finds the missing command before it looks at the word that was meant to be one.
    if (app.get_subcommands().empty() && argc > 1 && argv[1][0] != '-')
      what = std::string("there is no command ") + argv[1];
    return report_usage_error(what + "\nRun `glovebox --help` for the commands.", json);
  }
  if (*doctor_command) return run_doctor(doctor_json);
  exec.has_code = code->count() > 0;
  return run_exec(exec);
}

}  // namespace glovebox::frontend
