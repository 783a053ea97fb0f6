#include "assembly/sandbox_options.h"

#include <unistd.h>

#include <algorithm>

namespace glovebox::assembly {

std::vector<std::string> accepted_layers(const GatewayProcessOptions& options) {
  std::vector<std::string> accepted = options.sandbox.degraded;
  for (const std::string& name : options.workspace.config.sandbox.degraded.value_or(std::vector<std::string>())) {
    if (std::find(accepted.begin(), accepted.end(), name) == accepted.end()) accepted.push_back(name);
  }
  return accepted;
}

SandboxOptions sandbox_options(const GatewayProcessOptions& options) {
  SandboxOptions sandbox = options.sandbox;
  sandbox.degraded = accepted_layers(options);
  const config::CallLimits& limits = options.workspace.config.gateway.limits;
  if (limits.runs) sandbox.max_concurrent_runs = static_cast<std::size_t>(*limits.runs);
  const std::size_t machine =
      static_cast<std::size_t>(::sysconf(_SC_PHYS_PAGES)) * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  SandboxConfig one;
  options.workspace.config.sandbox.apply_to(one);
  sandbox.max_total_memory_bytes =
      limits.memory_mb ? static_cast<std::size_t>(*limits.memory_mb) << 20 : std::max(machine, one.memory_bytes);
  if (limits.memory_mb_per_client)
    sandbox.max_client_memory_bytes = static_cast<std::size_t>(*limits.memory_mb_per_client) << 20;
  return sandbox;
}

}  // namespace glovebox::assembly
