// What a config file says about calls, as the gateway's rules and limits.
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

// Relative paths in conditions are meant from `folder`, which is absolute.
Result<policy::ToolRules> rules_of(const config::Permissions& permissions, const std::string& folder);
// Which calls may be made twice: those that it allows.
Result<policy::ToolRules> idempotence_of(const config::Permissions& permissions, const std::string& folder);
// Rules that allow the calls whose answer may serve again. A server's own hints are not asked.
Result<policy::ToolRules> cacheable_of(const config::Permissions& permissions, const std::string& folder);
// Nothing where the owner wants none.
std::optional<cache::CacheLimits> cache_limits_of(const config::CacheSettings& settings);
std::map<std::string, policy::RateLimit> limits_of(const config::CallLimits& limits);

// Adds an allow rule to the file, and takes the same pattern from what is asked about: there it would win.
Result<void> remember_rule(const std::string& config_path, const std::string& pattern);

}  // namespace glovebox::gateway
