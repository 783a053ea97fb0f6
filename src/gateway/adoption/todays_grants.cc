#include "gateway/adoption/todays_grants.h"

#include <errno.h>
#include <unistd.h>

#include <algorithm>
#include <climits>

#include "base/system_error.h"
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

// Paths that are in a folder of both lists.
Result<Names> common_paths(const Names& some, const Names& others) {
  char folder[PATH_MAX];
  if (!::getcwd(folder, sizeof folder)) return base::system_failure(errno, "the current folder");
  const auto lies_in = [&](const std::string& inner, const std::string& outer) {
    return policy::is_at_or_beneath(policy::normal_path(folder, inner), policy::normal_path(folder, outer));
  };
  Names common;
  for (const std::string& one : some) {
    for (const std::string& other : others) {
      if (lies_in(one, other)) {
        common.push_back(one);
      } else if (lies_in(other, one)) {
        common.push_back(other);
      }
    }
  }
  return common;
}

// The run's paths only filter today's grants. They are not grants themselves: what they lead to may have changed.
void keep_granted_paths(Names& given, std::optional<Names>& only, const Names& today) {
  if (given == today) return;
  auto common = common_paths(only.value_or(given), given);
  only = common ? std::move(common).value() : Names();
  given = only->empty() ? Names() : today;
}

template <typename Limit>
void lower(Limit& given, const Limit& today) {
  given = std::min(given, today);
}

}  // namespace

SandboxConfig within_today(const RunSettings& run, const SandboxConfig& today) {
  SandboxConfig config = run.config;
  keep_granted_paths(config.allow_read, config.only_read, today.allow_read);
  keep_granted_paths(config.allow_write, config.only_write, today.allow_write);
  keep_granted(config.allow_net, today.allow_net);
  keep_granted(config.allow_env, today.allow_env);
  keep_granted(config.allow_run, today.allow_run);
  config.allow_net_private = config.allow_net_private && today.allow_net_private;
  if (today.file_mode == FileMode::kOverlay) config.file_mode = FileMode::kOverlay;
  for (const std::string& name : today.python_blocked_imports)
    if (!has(config.python_blocked_imports, name)) config.python_blocked_imports.push_back(name);
  if (config.python_wheels != today.python_wheels) config.python_wheels.clear();

  lower(config.memory_bytes, today.memory_bytes);
  lower(config.python_memory_bytes, today.python_memory_bytes);
  lower(config.python_cpu, today.python_cpu);
  lower(config.max_output_bytes, today.max_output_bytes);
  lower(config.max_log_bytes, today.max_log_bytes);
  lower(config.max_read_bytes, today.max_read_bytes);
  lower(config.max_write_bytes, today.max_write_bytes);
  lower(config.max_new_files, today.max_new_files);
  lower(config.max_fetch_bytes, today.max_fetch_bytes);
  lower(config.max_tool_calls, today.max_tool_calls);
  lower(config.max_artifacts, today.max_artifacts);
  lower(config.max_artifact_bytes, today.max_artifact_bytes);
  lower(config.max_artifact_total_bytes, today.max_artifact_total_bytes);
  if (today.cpu) config.cpu = std::min(config.cpu.value_or(*today.cpu), *today.cpu);
  if (!run.chain.empty() || run.careful) return config;
  lower(config.timeout, today.timeout);
  lower(config.rpc_timeout, today.rpc_timeout);
  config.total_timeout = std::min(config.most_time(), today.most_time());
  return config;
}

std::optional<policy::ClientProfile> todays_profile(const RunSettings& run, const Services& services) {
  if (!run.profile || run.profile->scope.empty() || !services.todays_profile) return std::nullopt;
  return services.todays_profile(run.profile->scope);
}

}  // namespace glovebox::gateway
