// `glovebox capability publish` and `save`: make a capability from a file, or from a run that succeeded.
#pragma once

#include "cli/capability/capability_desk.h"

namespace glovebox::cli {

// Each prints, and gives the exit code.
int publish_capability(const CapabilityFlags& options);
int save_capability(const CapabilityFlags& options);

}  // namespace glovebox::cli
