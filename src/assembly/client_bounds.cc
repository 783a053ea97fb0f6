#include "assembly/client_bounds.h"

#include <algorithm>

namespace glovebox::assembly {

SandboxConfig sandbox_config_for(const GatewayProcess& process, const std::optional<policy::ClientProfile>& profile) {
  SandboxConfig config = process.sandbox_config();
  if (profile) profile->tighten(config);
  return config;
}

std::optional<std::size_t> most_runs_of(const GatewayProcess& process,
                                        const std::optional<policy::ClientProfile>& profile) {
  std::optional<std::size_t> most;
  if (const auto per_client = process.config().gateway.limits.runs_per_client)
    most = static_cast<std::size_t>(*per_client);
  if (profile && profile->runs) most = std::min(*profile->runs, most.value_or(*profile->runs));
  return most;
}

std::optional<std::string> too_many_runs(GatewayProcess& process, const gateway::ExecuteRequest& request) {
  const auto limited = [&](std::size_t most, const char* by) -> std::optional<std::string> {
    if (process.gateway().busy_runs_of(request.client) < most) return std::nullopt;
    return "this client has " + std::to_string(most) + " runs in progress, which is all that " + by +
           " allows it; wait for one to end, or cancel one";
  };
  if (request.profile && request.profile->runs) {
    if (auto refusal = limited(*request.profile->runs, "its token")) return refusal;
  }
  const auto most = process.config().gateway.limits.runs_per_client;
  return most ? limited(static_cast<std::size_t>(*most), "limits.runsPerClient") : std::nullopt;
}

}  // namespace glovebox::assembly
