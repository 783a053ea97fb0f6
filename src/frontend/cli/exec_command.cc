#include "frontend/cli/exec_command.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "base/json_text.h"
#include "base/system_error.h"
#include "base/try.h"
#include "base/unique_fd.h"
#include "broker/guest_frames.h"
#include "broker/log_text.h"
#include "frontend/cli/error_view.h"
#include "frontend/cli/exit_codes.h"
#include "frontend/cli/quantities.h"
#include "glovebox/sandbox.h"
#include "wire/limits.h"

namespace glovebox::frontend {
namespace {

Failure usage(std::string message) {
  return {ErrorCode::kInvalidArgument, std::move(message)};
}

// Beyond this nothing can be sent anyway, and /dev/zero has no end.
constexpr std::size_t kMostToRead = wire::kMaxFrameBytes + 1;

Result<std::string> read_descriptor(const base::UniqueFd& file, const std::string& what) {
  std::string text;
  char buffer[64 * 1024];
  while (file.valid() && text.size() < kMostToRead) {
    const ssize_t got = ::read(file.get(), buffer, sizeof buffer);
    if (got == 0) return text;
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return usage(base::system_failure(errno, "cannot read " + what).message);
    text.append(buffer, static_cast<std::size_t>(got));
  }
  if (!file.valid()) return usage(base::system_failure(errno, "cannot read " + what).message);
  return text;
}

Result<std::string> read_all(const std::string& path, const char* what) {
  return read_descriptor(base::UniqueFd(::open(path.c_str(), O_RDONLY | O_CLOEXEC)), what + (" " + path));
}

Result<Language> language_of(const ExecOptions& options) {
  std::string name = options.language;
  if (name.empty()) {
    const std::size_t dot = options.file.rfind('.');
    const std::string ending = dot == std::string::npos ? "" : options.file.substr(dot + 1);
    if (ending == "py") return usage("Python is not supported by this version; --lang takes ts or js");
    name = ending == "js" || ending == "mjs" || ending == "cjs" ? "js" : "ts";
  }
  if (name == "ts" || name == "typescript") return Language::kTypeScript;
  if (name == "js" || name == "javascript") return Language::kJavaScript;
  return usage("--lang takes ts or js, not \"" + name + "\"");
}

Result<RunRequest> make_request(const ExecOptions& options) {
  RunRequest request;
  if (options.has_code == !options.file.empty()) {
    return usage("give the code once: a FILE, - for standard input, or -e CODE");
  }
  request.language = GLOVEBOX_TRY(language_of(options));
  request.name = request.language == Language::kTypeScript ? "agent.ts" : "agent.js";
  if (options.has_code) {
    request.code = options.code;
  } else if (options.file == "-") {
    request.code = GLOVEBOX_TRY(read_descriptor(base::UniqueFd(::dup(STDIN_FILENO)), "standard input"));
  } else {
    request.code = GLOVEBOX_TRY(read_all(options.file, "the code"));
    request.name = options.file.substr(options.file.rfind('/') + 1);
  }
  if (options.context.starts_with('@')) {
    request.context_json = GLOVEBOX_TRY(read_all(options.context.substr(1), "the context"));
  } else if (!options.context.empty()) {
    request.context_json = options.context;
  }
  if (!options.timeout.empty()) request.config.timeout = GLOVEBOX_TRY(parse_duration(options.timeout));
  if (!options.cpu.empty()) request.config.cpu = GLOVEBOX_TRY(parse_duration(options.cpu));
  if (!options.memory.empty()) request.config.memory_bytes = GLOVEBOX_TRY(parse_size(options.memory));
  if (!options.max_output.empty()) request.config.max_output_bytes = GLOVEBOX_TRY(parse_size(options.max_output));
  if (!options.seed.empty()) request.seed = options.seed;
  if (!options.now.empty()) request.now_ms = GLOVEBOX_TRY(parse_instant(options.now));
  return request;
}

std::vector<std::string> split_names(const std::string& text) {
  std::vector<std::string> names;
  std::size_t from = 0;
  while (from < text.size()) {
    const std::size_t comma = std::min(text.find(',', from), text.size());
    if (comma > from) names.push_back(text.substr(from, comma - from));
    from = comma + 1;
  }
  return names;
}

int exit_code_of(const Outcome& outcome) {
  const RunError* error = outcome.error();
  if (!error) return kOk;
  switch (error->type) {
    case ErrorType::kTimeoutError: return kTimeout;
    case ErrorType::kMemoryError: return kMemory;
    case ErrorType::kPermissionError: return kPolicyDenied;
    case ErrorType::kToolError: return kToolFailed;
    case ErrorType::kSandboxError:
      if (error->code == "INVALID_REQUEST") return kUsage;
      if (error->code == "SANDBOX_UNAVAILABLE" || error->code == "FEATURE_MISSING" || error->code == "SEAL_FAILED") {
        return kUnreachable;
      }
      return kCodeFailed;
    default: return kCodeFailed;
  }
}

// Submits, and waits for the end or for the person's Ctrl-C.
Outcome run_interruptibly(Sandbox& sandbox, RunRequest request, const base::UniqueFd& signals, bool& interrupted) {
  const base::UniqueFd ended(::eventfd(0, EFD_CLOEXEC));
  Outcome outcome;
  const Run run = sandbox.submit(std::move(request), [&](Outcome done) {
    outcome = std::move(done);
    const std::uint64_t one = 1;
    (void)!::write(ended.get(), &one, sizeof one);
  });
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

// Before any thread starts, so that all of them leave the signals to us.
base::UniqueFd take_over_interrupts() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  ::sigprocmask(SIG_BLOCK, &signals, nullptr);
  return base::UniqueFd(::signalfd(-1, &signals, SFD_CLOEXEC));
}

void print_for_people(const Outcome& outcome, const std::string& code, const std::string& name) {
  for (const std::string& layer : outcome.degraded) {
    std::fprintf(stderr, "warning: running without the layer %s\n", layer.c_str());
  }
  if (const RunError* error = outcome.error()) {
    std::fputs(describe_error(*error, code, name).c_str(), stderr);
  } else {
    std::puts(broker::neutralise_json(base::pretty_json(outcome.result_json())).c_str());
  }
}

}  // namespace

int report_usage_error(const std::string& message, bool json) {
  if (json) {
    std::string text = message;
    // An argument may be any bytes, JSON may not.
    if (!broker::is_utf8(text))
      std::replace_if(
          text.begin(), text.end(), [](char c) { return c < 0; }, '?');
    std::printf(R"({"result":null,"logs":[],"metrics":{},"error":{"type":"SandboxError","code":"USAGE","message":%s}})"
                "\n",
                base::json_string(text).c_str());
  }
  std::fprintf(stderr, "glovebox: %s\n", message.c_str());
  return kUsage;
}

int run_exec(const ExecOptions& options) {
  auto request = make_request(options);
  if (!request) return report_usage_error(request.failure().message, options.json);

  const base::UniqueFd signals = take_over_interrupts();
  SandboxOptions sandbox_options;
  sandbox_options.pool_size = 0;
  // Few programs need the whole stripper; a guest that does loads it itself.
  sandbox_options.warm_typescript = false;
  sandbox_options.degraded = split_names(options.degraded);
  if (!options.json) {
    request->on_log = [](const LogLine& line) { std::fprintf(stderr, "%s\n", line.text.c_str()); };
  }
  const std::string code = request->code;
  const std::string name = request->name;
  Sandbox sandbox(std::move(sandbox_options));
  bool interrupted = false;
  const Outcome outcome = run_interruptibly(sandbox, std::move(*request), signals, interrupted);
  if (options.json) {
    std::puts(to_json(outcome).c_str());
  } else {
    print_for_people(outcome, code, name);
  }
  if (std::fflush(stdout) != 0 || std::ferror(stdout)) {
    std::fprintf(stderr, "glovebox: %s\n", base::system_failure(errno, "cannot write the result").message.c_str());
    return kCodeFailed;
  }
  return interrupted ? static_cast<int>(kInterrupted) : exit_code_of(outcome);
}

}  // namespace glovebox::frontend
