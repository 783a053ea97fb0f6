// The limits of a client's runs, the same for tools and for the HTTP API: those of the config, narrowed by the client's
// token.
#pragma once

#include "assembly/gateway_process.h"

namespace glovebox::assembly {

// How many runs a client may have at once; nothing: as many as it likes.
std::optional<std::size_t> most_runs_of(const GatewayProcess& process,
                                        const std::optional<policy::ClientProfile>& profile);

// What the owner's config gives to every run, as far as this client may have it.
SandboxConfig sandbox_config_for(const GatewayProcess& process, const std::optional<policy::ClientProfile>& profile);

// Why this client may have no further run, if so: no other client pays for one that asks for too much.
std::optional<std::string> too_many_runs(GatewayProcess& process, const gateway::ExecuteRequest& request);

}  // namespace glovebox::assembly
