#include "cli/exec/exec_request.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/system_error.h"
#include "base/text/log_text.h"
#include "base/try.h"
#include "base/unique_fd.h"
#include "config/config_file.h"
#include "terminal/outcome_view.h"
#include "terminal/quantities.h"
#include "vfs/own/known_workspaces.h"
#include "wire/limits.h"

namespace glovebox::cli {
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

// A file that is named counts in full. One that is merely in the current folder may have come with other people's
// files: it can restrict, but grants nothing.
Result<void> apply_config_file(const ExecOptions& options, ExecRequest& exec) {
  const bool named = !options.config.empty();
  if (named && options.no_config) return usage("--config and --no-config cannot be combined");
  if (!named && (options.no_config || !config::config_file_is_here())) return {};
  const auto file = config::read_config_file(named ? options.config : config::kConfigName);
  // What the file says is untrusted text, too.
  if (!file) return usage(base::neutralise(file.failure().text()));
  exec.run.config.own_paths.push_back(file.value().path);
  if (named) {
    file.value().sandbox.apply_to(exec.run.config);
    exec.degraded = file.value().sandbox.degraded.value_or(std::vector<std::string>());
  } else {
    file.value().sandbox.tighten(exec.run.config);
    exec.unused_grants = file.value().sandbox.granting_keys();
  }
  return {};
}

}  // namespace

Result<Language> language_of(const ExecOptions& options) {
  std::string name = options.language;
  if (name.empty()) {
    const std::size_t dot = options.file.rfind('.');
    const std::string ending = dot == std::string::npos ? "" : options.file.substr(dot + 1);
    if (ending == "py") return Language::kPython;
    name = ending == "js" || ending == "mjs" || ending == "cjs" ? "js" : "ts";
  }
  if (const auto language = language_named(name)) return *language;
  return usage("--lang takes ts, js or py, not \"" + name + "\"");
}

Result<ExecRequest> make_exec_request(const ExecOptions& options) {
  ExecRequest exec;
  RunRequest& request = exec.run;
  if (options.has_code == !options.file.empty()) {
    return usage("give the code once: a FILE, - for standard input, or -e CODE");
  }
  request.language = GLOVEBOX_TRY(language_of(options));
  request.name = default_file_name(request.language);
  if (options.has_code) {
    request.code = options.code;
  } else if (options.file == "-") {
    request.code = GLOVEBOX_TRY(read_descriptor(base::UniqueFd(::dup(STDIN_FILENO)), "standard input"));
  } else {
    request.code = GLOVEBOX_TRY(read_all(options.file, "the code"));
    request.name = base::neutralise(options.file.substr(options.file.rfind('/') + 1));
  }
  if (options.context.starts_with('@')) {
    request.context_json = GLOVEBOX_TRY(read_all(options.context.substr(1), "the context"));
  } else if (!options.context.empty()) {
    request.context_json = options.context;
  }
  GLOVEBOX_TRY_VOID(apply_config_file(options, exec));
  for (std::string& name : split_names(options.degraded)) exec.degraded.push_back(std::move(name));
  if (!options.timeout.empty()) request.config.timeout = GLOVEBOX_TRY(parse_duration(options.timeout));
  // A flag is for this program, whatever its language.
  if (!options.cpu.empty()) {
    request.config.cpu = GLOVEBOX_TRY(parse_duration(options.cpu));
    request.config.python_cpu = *request.config.cpu;
  }
  if (!options.memory.empty()) {
    request.config.memory_bytes = GLOVEBOX_TRY(parse_size(options.memory));
    request.config.python_memory_bytes = request.config.memory_bytes;
  }
  if (!options.max_output.empty()) request.config.max_output_bytes = GLOVEBOX_TRY(parse_size(options.max_output));
  if (!options.seed.empty()) request.seed = options.seed;
  if (!options.now.empty()) request.now_ms = GLOVEBOX_TRY(parse_instant(options.now));
  GLOVEBOX_TRY_VOID(apply_grant_flags(options.grants, request.config));
  if (!request.config.allow_write.empty()) {
    for (std::string& place : vfs::KnownWorkspaces().places_near(request.config.allow_write))
      request.config.own_paths.push_back(std::move(place));
  }
  return exec;
}

}  // namespace glovebox::cli
