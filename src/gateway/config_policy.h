// Reads the gateway's rules and limits from a config.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "cache/result_cache.h"
#include "config/gateway_settings.h"
#include "glovebox/result.h"
#include "policy/rate_limits.h"
#include "policy/tool_rules.h"

namespace glovebox::gateway {

// Relative paths in conditions are resolved against `folder`, which is absolute.
Result<policy::ToolRules> rules_of(const config::Permissions& permissions, const std::string& folder);
// Rules that allow the calls that may be made twice.
Result<policy::ToolRules> idempotence_of(const config::Permissions& permissions, const std::string& folder);
// Rules that allow the calls whose result may be cached. A server's own hints are ignored.
Result<policy::ToolRules> cacheable_of(const config::Permissions& permissions, const std::string& folder);
// Nothing if caching is disabled.
std::optional<cache::CacheLimits> cache_limits_of(const config::CacheSettings& settings);
std::map<std::string, policy::RateLimit> limits_of(const config::CallLimits& limits);

// Adds an allow rule to the file, and removes the same pattern from the ask rules, which would win.
Result<void> remember_rule(const std::string& config_path, const std::string& pattern);

}  // namespace glovebox::gateway
