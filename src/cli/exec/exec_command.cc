#include "cli/exec/exec_command.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <optional>

#include "base/engine/used_pages.h"
#include "base/program_part.h"
#include "base/system_error.h"
#include "base/text/comma_list.h"
#include "base/text/json_builder.h"
#include "base/text/log_text.h"
#include "base/unique_fd.h"
#include "cli/exec/artifact_files.h"
#include "cli/exec/exec_request.h"
#include "config/config_file.h"
#include "glovebox/sandbox.h"
#include "standby/leave.h"
#include "terminal/exit_codes.h"
#include "terminal/outcome_view.h"
#include "terminal/progress_line.h"
#include "terminal/standby_time.h"

namespace glovebox::cli {
namespace {

// Submits, and waits for the end or for the person's Ctrl-C.
Outcome run_interruptibly(Sandbox& sandbox, RunRequest request, const base::UniqueFd& signals, pid_t engine,
                          bool& interrupted) {
  const base::UniqueFd ended(::eventfd(0, EFD_CLOEXEC));
  Outcome outcome;
  const Run run = sandbox.submit(std::move(request), [&](Outcome done) {
    outcome = std::move(done);
    const std::uint64_t one = 1;
    (void)!::write(ended.get(), &one, sizeof one);
  });
  if (engine != 0) base::map_used_pages(engine, base::program_part("libglovebox-guest.image"));
  pollfd events[] = {{ended.get(), POLLIN, 0}, {signals.get(), POLLIN, 0}};
  while (true) {
    if (::poll(events, 2, -1) < 0) continue;
    if (events[0].revents) return outcome;
    if (events[1].revents) {
      signalfd_siginfo ignored;
      (void)!::read(signals.get(), &ignored, sizeof ignored);
      interrupted = true;
      run.cancel();
    }
  }
}

sigset_t interrupts() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  return signals;
}

// Threads that start while this lives leave interrupts to us.
class WithoutInterrupts {
 public:
  WithoutInterrupts() { ::pthread_sigmask(SIG_BLOCK, &signals_, &before_); }
  ~WithoutInterrupts() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  const sigset_t signals_ = interrupts();
  sigset_t before_{};
};

std::optional<Sandbox> start_sandbox(std::vector<std::string> degraded, bool warm_javascript) {
  SandboxOptions options;
  options.one_run = true;
  // Few programs need the whole stripper; a guest that does loads it itself.
  options.warm_typescript = false;
  options.warm_javascript = warm_javascript;
  options.degraded = std::move(degraded);
  // It may name files that code has named.
  options.on_notice = [](const std::string& text) {
    std::fprintf(stderr, "note: %s\n", base::neutralise(text).c_str());
  };
  options.on_progress = progress_on_terminal();
  const WithoutInterrupts quiet;
  return Sandbox(std::move(options));
}

// The engine boots while code and context are read, which may take a person's time: Ctrl-C still ends that. A config
// file that is named is read first, since it may accept missing layers.
std::optional<Sandbox> start_before_reading(const ExecOptions& options) {
  const auto language = language_of(options);
  if (!options.config.empty() || !language || *language == Language::kPython) return std::nullopt;
  return start_sandbox(split_names(options.degraded), true);
}

// Explains why grants in a config file that was not named do not count. None of them would grant a module.
void explain_unused_grants(const Outcome& outcome, const std::vector<std::string>& keys) {
  const auto* denied = std::get_if<Denied>(&outcome.ending);
  if (!denied || denied->error.code == "MODULE_DENIED" || keys.empty()) return;
  const std::string names = base::comma_list(keys);
  std::fprintf(stderr, "note: %s in this folder asks for %s; that applies only with --config %s\n", config::kConfigName,
               names.c_str(), config::kConfigName);
}

}  // namespace

int report_usage_error(const std::string& message, bool json) {
  if (json) {
    base::ObjectText error, out;
    error.text("type", "SandboxError").text("code", "USAGE").text("message", message);
    out.json("result", "null").json("logs", "[]").json("metrics", "{}").json("error", error.done());
    std::puts(out.done().c_str());
  }
  std::fprintf(stderr, "glovebox: %s\n", base::neutralise(message).c_str());
  return kUsage;
}

int run_exec(const ExecOptions& options) {
  // What comes before the run has begun cancels it then, and there is an answer. Only reading, for which a person may
  // have to type, is ended at once.
  std::optional<WithoutInterrupts> quiet;
  if (options.has_code && !options.context.starts_with('@')) quiet.emplace();
  std::optional<Sandbox> sandbox = start_before_reading(options);
  auto exec = make_exec_request(options);
  if (!quiet) quiet.emplace();
  // The zygote dies with this process, and need not have booted first.
  if (!exec) std::_Exit(finish_output(report_usage_error(exec.failure().message, options.json)));
  RunRequest& request = exec->run;
  if (!sandbox) sandbox = start_sandbox(exec->degraded, false);

  const sigset_t signals = interrupts();
  const base::UniqueFd interrupt_events(::signalfd(-1, &signals, SFD_CLOEXEC));
  if (!options.json) {
    request.on_log = [](const LogLine& line) { std::fprintf(stderr, "%s\n", line.text.c_str()); };
  }
  const std::string code = request.code;
  const std::string name = request.name;
  bool interrupted = false;
  Outcome outcome = run_interruptibly(*sandbox, std::move(request), interrupt_events, options.engine, interrupted);
  settle_changes(outcome, options.grants.commit);
  if (options.json) {
    std::puts(to_json(outcome).c_str());
  } else {
    print_for_people(outcome, code, name);
    explain_unused_grants(outcome, exec->unused_grants);
  }
  int exit_code = interrupted ? static_cast<int>(kInterrupted) : exit_code_of(outcome);
  const bool saved = settle_artifacts(outcome.artifacts, options.artifacts, "keep them with --artifacts DIR");
  if (!saved && exit_code == kOk) exit_code = kCodeFailed;
  exit_code = finish_output(exit_code);
  // For the next command. What is wrong with the owner's wish, `glovebox doctor` says.
  const auto standby = options.engine == 0 ? std::chrono::milliseconds(0) : standby_time();
  if (standby && standby->count() > 0) standby::leave_keeper(*standby);
  // All output is written. The zygote dies with this process; waiting for its memory to be torn down first would cost
  // the caller a millisecond.
  std::_Exit(exit_code);
}

}  // namespace glovebox::cli
