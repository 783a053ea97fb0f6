// `glovebox capability ls`, `add`, `show`, `update` and `rm`: the capabilities of the workspace.
#pragma once

#include "cli/capability/capability_desk.h"

namespace glovebox::cli {

// Each prints, and gives the exit code.
int list_capabilities(const CapabilityFlags& options);
int add_capability(const CapabilityFlags& options);
int show_capability(const CapabilityFlags& options);
int update_capabilities(const CapabilityFlags& options);
int remove_capability(const CapabilityFlags& options);

}  // namespace glovebox::cli
