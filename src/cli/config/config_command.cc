#include "cli/config/config_command.h"

#include <errno.h>
#include <stdlib.h>

#include <cstdio>
#include <memory>

#include "base/system_error.h"
#include "base/text/json_builder.h"
#include "base/text/log_text.h"
#include "cli/config/import_servers.h"
#include "config/config_file.h"
#include "config/schema/config_schema.h"
#include "terminal/exit_codes.h"

namespace glovebox::cli {
namespace {

using base::ObjectText;

std::string json_of(const config::ConfigProblem& problem) {
  ObjectText out;
  out.text("message", problem.message);
  if (problem.position) out.number("line", problem.position->line).number("column", problem.position->column);
  return out.done();
}

void print_problems(const std::string& file, const std::vector<config::ConfigProblem>& problems) {
  ObjectText out;
  out.flag("ok", problems.empty()).text("file", file).json("problems", base::json_list(problems, json_of));
  std::puts(out.done().c_str());
}

}  // namespace

int run_config_validate(const std::string& file, bool json) {
  const auto config = config::read_config_file(file);
  if (json) {
    print_problems(file, config ? std::vector<config::ConfigProblem>{} : config.failure().problems);
  } else if (config) {
    std::printf("%s: ok\n", file.c_str());
  } else {
    std::fprintf(stderr, "%s\n", base::neutralise(config.failure().text()).c_str());
  }
  return config ? kOk : kUsage;
}

namespace {

// One key, its value as JSON, and where it comes from: the key that the file has, or nothing.
struct ExplainedKey {
  std::string key;
  std::string value;
  std::string written_as;
};

std::string as_json(std::chrono::milliseconds time) {
  return std::to_string(time.count());
}
std::string as_json(std::size_t number) {
  return std::to_string(number);
}
std::string as_json(bool truth) {
  return truth ? "true" : "false";
}
std::string as_json(FileMode mode) {
  return mode == FileMode::kOverlay ? "\"overlay\"" : "\"direct\"";
}
std::string as_json(Reuse reuse) {
  return reuse == Reuse::kRewind ? "\"rewind\"" : "\"fresh\"";
}
std::string as_json(const std::vector<std::string>& texts) {
  return base::text_list(texts);
}

std::vector<ExplainedKey> explained(const config::SandboxSettings& settings) {
  SandboxConfig config;
  settings.apply_to(config);
  std::vector<ExplainedKey> keys;
  const auto add = [&](const std::string& key, const auto& said, const auto& value) {
    std::string written_as = said ? key : "";
    for (const auto& [former, now] : settings.renamed)
      if (key == "sandbox." + now) written_as = "sandbox." + former;
    keys.push_back({key, as_json(value), std::move(written_as)});
  };
  add("sandbox.timeoutMs", settings.timeout, config.timeout);
  add("sandbox.totalTimeoutMs", settings.total_timeout, config.most_time());
  add("sandbox.cpuMs", settings.cpu, config.cpu.value_or(config.timeout));
  add("sandbox.memoryMB", settings.memory_bytes, config.memory_bytes >> 20);
  add("sandbox.maxOutputBytes", settings.max_output_bytes, config.max_output_bytes);
  add("sandbox.maxLogBytes", settings.max_log_bytes, config.max_log_bytes);
  add("sandbox.maxReadBytes", settings.max_read_bytes, config.max_read_bytes);
  add("sandbox.maxWriteBytes", settings.max_write_bytes, config.max_write_bytes);
  add("sandbox.maxNewFiles", settings.max_new_files, config.max_new_files);
  add("sandbox.maxFetchBytes", settings.max_fetch_bytes, config.max_fetch_bytes);
  add("sandbox.rpcTimeoutMs", settings.rpc_timeout, config.rpc_timeout);
  add("sandbox.maxToolCalls", settings.max_tool_calls, config.max_tool_calls);
  add("sandbox.maxArtifacts", settings.max_artifacts, config.max_artifacts);
  add("sandbox.maxArtifactBytes", settings.max_artifact_bytes, config.max_artifact_bytes);
  add("sandbox.maxArtifactTotalBytes", settings.max_artifact_total_bytes, config.max_artifact_total_bytes);
  add("sandbox.allowRead", settings.allow_read, config.allow_read);
  add("sandbox.allowWrite", settings.allow_write, config.allow_write);
  add("sandbox.allowNet", settings.allow_net, config.allow_net);
  add("sandbox.allowNetPrivate", settings.allow_net_private, config.allow_net_private);
  add("sandbox.allowEnv", settings.allow_env, config.allow_env);
  add("sandbox.allowRun", settings.allow_run, config.allow_run);
  add("sandbox.vfs", settings.file_mode, config.file_mode);
  add("sandbox.reuse", settings.reuse, settings.reuse.value_or(Reuse::kFresh));
  add("python.timeoutMs", settings.python_cpu, config.python_cpu);
  add("python.memoryMb", settings.python_memory_bytes, config.python_memory_bytes >> 20);
  return keys;
}

}  // namespace

int run_config_explain(const std::string& file, bool json) {
  const auto config = config::read_config_file(file);
  if (!config) return run_config_validate(file, json);
  base::ListText keys;
  for (const ExplainedKey& key : explained(config->sandbox)) {
    const bool is_default = key.written_as.empty();
    const std::string said = is_default ? "default" : key.written_as == key.key ? "" : "written as " + key.written_as;
    if (!json) {
      std::printf("%s %s%s\n", key.key.c_str(), base::neutralise(key.value).c_str(),
                  said.empty() ? "" : (" (" + said + ")").c_str());
      continue;
    }
    ObjectText shown;
    shown.text("key", key.key).json("value", key.value);
    keys.json((is_default ? shown.flag("default", true) : shown.text("writtenAs", key.written_as)).done());
  }
  if (json) std::puts(ObjectText().flag("ok", true).text("file", file).json("keys", keys.done()).done().c_str());
  return kOk;
}

int run_config_schema() {
  std::fputs(config::config_schema().c_str(), stdout);
  return kOk;
}

namespace {

int refuse_import(const std::string& message, bool json) {
  if (json) std::puts(ObjectText().flag("ok", false).text("error", message).done().c_str());
  std::fprintf(stderr, "glovebox: %s\n", base::neutralise(message).c_str());
  return kUsage;
}

}  // namespace

int run_config_import(const ConfigImport& import) {
  const std::string into = !import.into.empty()       ? import.into
                           : import.workspace.empty() ? std::string(config::kConfigName)
                                                      : import.workspace + "/" + config::kConfigName;
  const std::unique_ptr<char, decltype(&::free)> workspace(
      ::realpath(import.workspace.empty() ? "." : import.workspace.c_str(), nullptr), ::free);
  if (!workspace) return refuse_import(base::system_failure(errno, import.workspace).message, import.json);
  const auto servers = read_servers_of(import.file, workspace.get());
  if (!servers) return refuse_import(servers.failure().message, import.json);
  // A file that is wrong already is reported as a whole.
  if (const auto fine = config::change_config_file(into, [](std::string_view same) { return std::string(same); });
      !fine)
    return refuse_import(fine.failure().text(), import.json);
  const ImportReport outcome = import_servers(*servers, {import.file, into, workspace.get()}, import.force);
  if (import.json) {
    ObjectText out;
    out.flag("ok", true).text("file", into).json("imported", as_json(outcome.imported));
    std::puts(out.json("notes", as_json(outcome.notes)).done().c_str());
    return kOk;
  }
  for (const std::string& note : outcome.notes) std::fprintf(stderr, "note: %s\n", base::neutralise(note).c_str());
  for (const std::string& name : outcome.imported) std::printf("%s\n", base::neutralise(name).c_str());
  return kOk;
}

}  // namespace glovebox::cli
