#include "assembly/call_policy.h"

#include <algorithm>

#include "assembly/policy_digest.h"
#include "base/try.h"
#include "gateway/config_policy.h"
#include "policy/rate_limits.h"
#include "skills/skill_tools.h"

namespace glovebox::assembly {
namespace {

std::optional<std::size_t> as_size(const std::optional<std::int64_t>& number) {
  if (!number) return std::nullopt;
  return static_cast<std::size_t>(*number);
}

bool has_skills(const config::ConfigFile& config) {
  return std::any_of(config.servers.begin(), config.servers.end(),
                     [](const config::DeclaredServer& server) { return server.spec.classes; });
}

}  // namespace

Result<gateway::CallPolicy> call_policy_of(const config::ConfigFile& config, const cli::Workspace& workspace,
                                           bool without_cache) {
  const config::GatewaySettings& settings = config.gateway;
  gateway::CallPolicy policy;
  policy.rules = GLOVEBOX_TRY(cli::workspace_rules(workspace, config));
  if (has_skills(config)) skills::allow_skill_tools(policy.rules);
  policy.idempotent = GLOVEBOX_TRY(gateway::idempotence_of(settings.permissions, workspace.folder));
  policy.cacheable = GLOVEBOX_TRY(gateway::cacheable_of(settings.permissions, workspace.folder));
  policy.policy_digest = policy_digest(config);
  policy.rate_limits = gateway::limits_of(settings.limits);
  // Here, so that a config with a wrong one changes nothing.
  GLOVEBOX_TRY_VOID(policy::RateLimits(std::chrono::steady_clock::now).set(policy.rate_limits));
  policy.calls_per_run = as_size(settings.limits.calls_per_run);
  policy.concurrent_per_run = as_size(settings.limits.concurrent_calls);
  policy.waiting_per_client = static_cast<std::size_t>(settings.limits.waiting_runs_per_client);
  if (!without_cache) policy.cache_limits = gateway::cache_limits_of(settings.cache);
  return policy;
}

}  // namespace glovebox::assembly
