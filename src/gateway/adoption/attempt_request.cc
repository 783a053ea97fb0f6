#include "gateway/adoption/attempt_request.h"

#include <algorithm>
#include <boost/json.hpp>

#include "gateway/adoption/todays_grants.h"
#include "gateway/principal/asker.h"

namespace glovebox::gateway {
namespace {

namespace json = boost::json;

std::string context_of(const store::RunRecord& record, const RunSettings& settings, const Services& services) {
  if (settings.variables.empty()) return record.context;
  auto input = policy::parse_arguments(record.context);
  json::object values;
  for (const std::string& name : settings.variables)
    if (const auto value = services.variables(name)) values[name] = *value;
  json::object whole = input ? std::move(input).value() : json::object();
  whole["env"] = std::move(values);
  return json::serialize(whole);
}

SandboxConfig config_of(const RunSettings& settings, const Services& services) {
  SandboxConfig config = services.todays_config ? within_today(settings, services.todays_config()) : settings.config;
  if (const auto profile = todays_profile(settings, services)) profile->tighten(config);
  if (services.calls_per_run) config.max_tool_calls = std::min(config.max_tool_calls, *services.calls_per_run);
  return config;
}

}  // namespace

Language language_of(const store::RunRecord& record) {
  return language_named(record.language).value_or(Language::kTypeScript);
}

RunRequest attempt_request(const store::RunRecord& record, const RunSettings& settings, const Services& services,
                           std::vector<JournalEntry> history) {
  RunRequest request;
  request.code = record.code;
  request.language = language_of(record);
  request.name = record.name;
  request.context_json = context_of(record, settings, services);
  request.config = config_of(settings, services);
  request.client = authenticated_part(settings.principal.empty() ? record.client : settings.principal);
  request.depth = settings.depth;
  request.seed = record.seed;
  request.now_ms = record.now;
  request.history = std::move(history);
  return request;
}

}  // namespace glovebox::gateway
