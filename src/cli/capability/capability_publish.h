// glovebox capability publish and save: capabilities made of a file, or of a run that succeeded.
#pragma once

#include "cli/capability/capability_desk.h"

namespace glovebox::cli {

// Each prints, and gives the exit code.
int publish_capability(const CapabilityFlags& options);
int save_capability(const CapabilityFlags& options);

}  // namespace glovebox::cli
