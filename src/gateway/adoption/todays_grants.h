// What an attempt of a run may have: what the run was given, and never more than the owner's config gives today. A run
// may wait for weeks, and what stands beside it in the store is no word of the owner's.
#pragma once

#include "gateway/runs/run_settings.h"
#include "gateway/services.h"

namespace glovebox::gateway {

// Grants and limits of `run` as far as `today` gives them too. Runs of capabilities and of workflows have times of
// their own, which do not come from the config.
SandboxConfig within_today(const RunSettings& run, const SandboxConfig& today);

// What the config says today of the scope that the run's client had; nothing where its profile is not the config's.
std::optional<policy::ClientProfile> todays_profile(const RunSettings& run, const Services& services);

}  // namespace glovebox::gateway
