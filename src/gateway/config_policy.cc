#include "gateway/config_policy.h"

#include "config/config_file.h"
#include "config/jsonc_edit.h"

namespace glovebox::gateway {

Result<policy::ToolRules> rules_of(const config::Permissions& permissions, const std::string& folder) {
  return policy::ToolRules::parse({permissions.allow, permissions.ask, permissions.deny}, folder);
}

Result<policy::ToolRules> idempotence_of(const config::Permissions& permissions, const std::string& folder) {
  return policy::ToolRules::parse({permissions.idempotent, {}, {}}, folder);
}

Result<policy::ToolRules> cacheable_of(const config::Permissions& permissions, const std::string& folder) {
  return policy::ToolRules::parse({permissions.cacheable, {}, {}}, folder);
}

std::optional<cache::CacheLimits> cache_limits_of(const config::CacheSettings& settings) {
  if (!settings.enabled) return std::nullopt;
  cache::CacheLimits limits;
  if (settings.entries) limits.entries = static_cast<std::size_t>(*settings.entries);
  if (settings.seconds) limits.lifetime = std::chrono::seconds(*settings.seconds);
  if (settings.entry_bytes) limits.entry_bytes = static_cast<std::size_t>(*settings.entry_bytes);
  if (settings.all_bytes) limits.all_bytes = static_cast<std::size_t>(*settings.all_bytes);
  return limits;
}

std::map<std::string, policy::RateLimit> limits_of(const config::CallLimits& limits) {
  std::map<std::string, policy::RateLimit> made;
  for (const auto& [pattern, number] : limits.calls_per_minute) {
    made[pattern].per_minute = static_cast<double>(number);
  }
  for (const auto& [pattern, number] : limits.concurrent_per_pattern) {
    made[pattern].concurrent = static_cast<std::size_t>(number);
  }
  return made;
}

Result<void> remember_rule(const std::string& config_path, const std::string& pattern) {
  const auto changed = config::change_config_file(config_path, [&](std::string_view text) -> config::EditResult {
    auto allowed = config::add_text(text, {"permissions", "allow"}, pattern);
    if (!allowed) return allowed;
    return config::remove_text(allowed.value(), {"permissions", "ask"}, pattern);
  });
  if (!changed) return Failure{ErrorCode::kInvalidArgument, changed.failure().text()};
  return {};
}

}  // namespace glovebox::gateway
