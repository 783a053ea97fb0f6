// What an attempt of a run may have: what the run was given, and never more than the owner's current config gives. A
// run may wait for weeks, and its settings in the store are not the owner's consent.
#pragma once

#include "gateway/runs/run_settings.h"
#include "gateway/services.h"

namespace glovebox::gateway {

// Grants and limits of `run` as far as `today` gives them too. Runs of capabilities and workflows have their own time
// limits, which do not come from the config.
SandboxConfig within_today(const RunSettings& run, const SandboxConfig& today);

// What the config now says of the scope of the run's client; nothing if its profile does not come from the config.
std::optional<policy::ClientProfile> todays_profile(const RunSettings& run, const Services& services);

}  // namespace glovebox::gateway
