#include "gateway/resume/todays_grants.h"

#include <unistd.h>

#include <algorithm>

#include "policy/path_grants.h"

namespace glovebox::gateway {
namespace {

using Names = std::vector<std::string>;

bool has(const Names& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

void keep_granted(Names& given, const Names& today) {
  std::erase_if(given, [&](const std::string& name) { return !has(today, name); });
}

// Where both grant: a path that lies within a grant of today's, or a grant of today's that lies within it.
void keep_granted_paths(Names& given, const Names& today) {
  char folder[4096];
  if (!::getcwd(folder, sizeof folder)) return given.clear();
  const auto lies_in = [&](const std::string& inner, const std::string& outer) {
    return policy::is_at_or_beneath(policy::normal_path(folder, inner), policy::normal_path(folder, outer));
  };
  Names kept;
  for (const std::string& path : given) {
    const bool granted =
        std::any_of(today.begin(), today.end(), [&](const auto& grant) { return lies_in(path, grant); });
    if (granted) kept.push_back(path);
    if (granted) continue;
    for (const std::string& grant : today)
      if (lies_in(grant, path) && !has(kept, grant)) kept.push_back(grant);
  }
  given = std::move(kept);
}

template <typename Limit>
void lower(Limit& given, const Limit& today) {
  given = std::min(given, today);
}

}  // namespace

SandboxConfig within_today(const RunSettings& run, const SandboxConfig& today) {
  SandboxConfig config = run.sandbox;
  keep_granted_paths(config.allow_read, today.allow_read);
  keep_granted_paths(config.allow_write, today.allow_write);
  keep_granted(config.allow_net, today.allow_net);
  keep_granted(config.allow_env, today.allow_env);
  keep_granted(config.allow_run, today.allow_run);
  config.allow_net_private = config.allow_net_private && today.allow_net_private;
  if (today.file_mode == FileMode::kOverlay) config.file_mode = FileMode::kOverlay;
  for (const std::string& name : today.python_blocked_imports)
    if (!has(config.python_blocked_imports, name)) config.python_blocked_imports.push_back(name);
  if (config.python_wheels != today.python_wheels) config.python_wheels.clear();

  lower(config.memory_bytes, today.memory_bytes);
  lower(config.max_output_bytes, today.max_output_bytes);
  lower(config.max_log_bytes, today.max_log_bytes);
  lower(config.max_read_bytes, today.max_read_bytes);
  lower(config.max_write_bytes, today.max_write_bytes);
  lower(config.max_new_files, today.max_new_files);
  lower(config.max_fetch_bytes, today.max_fetch_bytes);
  lower(config.max_tool_calls, today.max_tool_calls);
  if (today.cpu) config.cpu = std::min(config.cpu.value_or(*today.cpu), *today.cpu);
  if (!run.chain.empty() || run.careful) return config;
  lower(config.timeout, today.timeout);
  lower(config.rpc_timeout, today.rpc_timeout);
  return config;
}

}  // namespace glovebox::gateway
