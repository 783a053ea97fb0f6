#include "assembly/policy_digest.h"

#include "cache/cache_key.h"

namespace glovebox::assembly {

std::string policy_digest(const config::ConfigFile& config) {
  cache::CacheKey digest("policy");
  const config::Permissions& permissions = config.gateway.permissions;
  digest.add("allow", permissions.allow).add("ask", permissions.ask).add("deny", permissions.deny);
  digest.add("cacheable", permissions.cacheable);
  digest.add("registry", config.gateway.registry).add("remote", config.gateway.remote);
  const config::PrivacySettings& privacy = config.gateway.privacy;
  digest.add("privacy", privacy.mode).add("entities", privacy.entities).add("may leave", privacy.allow);
  digest.add("restore", privacy.restore).add("enforce", privacy.enforce);
  for (const auto& custom : privacy.custom) {
    digest.add("custom", custom.name).add("pattern", custom.pattern).add("validate", custom.validate);
  }
  for (const config::FlowRule& flow : config.gateway.flows) {
    digest.add("from", flow.from).add("to", flow.to).add("action", flow.action);
  }
  for (const config::ServerSpec& server : config.prepared_servers()) {
    digest.add("server", server.name).add("command", server.command).add("arguments", server.args);
    digest.add("folder", server.cwd).add("url", server.url).add("disabled", server.disabled ? "yes" : "no");
    for (const auto& [name, value] : server.env) digest.add("variable", name).add("is", value);
    for (const auto& [name, value] : server.headers) digest.add("header", name).add("is", value);
    if (server.oauth) digest.add("client", server.oauth->client_id).add("issuer", server.oauth->issuer);
  }
  return digest.hex();
}

}  // namespace glovebox::assembly
