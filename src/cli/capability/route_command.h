// `glovebox route`: what a name in code resolves to.
#pragma once

#include "cli/capability/capability_desk.h"

namespace glovebox::cli {

// Prints, and gives the exit code.
int explain_route(const CapabilityFlags& options);

}  // namespace glovebox::cli
