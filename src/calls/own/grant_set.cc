#include "calls/own/grant_set.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/try.h"
#include "calls/command/program_search.h"
#include "policy/grantable_path.h"

namespace glovebox::calls {

Result<GrantSet> GrantSet::parse(const SandboxConfig& config) {
  GrantSet grants;
  for (const auto* paths : {&config.allow_read, &config.allow_write}) {
    for (const std::string& path : *paths) GLOVEBOX_TRY_VOID(policy::check_grantable_path(path));
  }
  grants.env = GLOVEBOX_TRY(policy::EnvGrants::parse(config.allow_env));
  grants.net = GLOVEBOX_TRY(policy::NetGrants::parse(config.allow_net, config.allow_net_private));
  if (!config.allow_env.empty()) grants.environment = copy_environment(::environ);
  const char* path = ::getenv("PATH");
  const std::string search_path = path ? path : "";
  grants.run = GLOVEBOX_TRY(policy::RunGrants::prepare(
      config.allow_run, [&](const std::string& grant) { return find_program(grant, search_path); }));
  if (!grants.run.empty() && config.file_mode == FileMode::kOverlay) {
    return Failure{
        ErrorCode::kInvalidArgument,
        "allow_run cannot be combined with an overlay: commands write to the disk itself, past the layer that could "
        "be dropped"};
  }
  return grants;
}

}  // namespace glovebox::calls
