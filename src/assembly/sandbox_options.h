// Options of a gateway's sandbox: limits for all runs together, and layers that may be missing.
#pragma once

#include <string>
#include <vector>

#include "assembly/gateway_process.h"

namespace glovebox::assembly {

// Layers that may be missing: what was typed, and what the config says.
std::vector<std::string> accepted_layers(const GatewayProcessOptions& options);
// What all runs together may have: by the config, else what the machine has.
SandboxOptions sandbox_options(const GatewayProcessOptions& options);

}  // namespace glovebox::assembly
