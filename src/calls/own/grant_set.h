// Everything that a run was granted besides files, parsed once, before the run is queued.
#pragma once

#include "calls/command/command_environment.h"
#include "glovebox/sandbox.h"
#include "policy/env_grants.h"
#include "policy/net_grants.h"
#include "policy/run_grants.h"

namespace glovebox::calls {

struct GrantSet {
  policy::EnvGrants env;
  policy::NetGrants net;
  policy::RunGrants run;
  Environment environment;  // the gateway's; `env` exposes a part of it. Empty if nothing is granted

  // Fails with the name of the setting and what is wrong with it.
  static Result<GrantSet> parse(const SandboxConfig& config);
};

}  // namespace glovebox::calls
