// What an agent asks for in `sandbox_config`, within what the owner gives. The agent is not trusted: asking can
// only take away, and asking for more is an error that says so.
#pragma once

#include <string_view>

#include "config/sandbox_settings.h"

namespace glovebox::config {

// `sandbox_config` is the JSON object as the agent wrote it.
Result<SandboxConfig> narrowed(const SandboxConfig& owners, std::string_view sandbox_config);

// `asked` within `owners`: lower limits, and grants that the owner gave or parts of them.
Result<SandboxConfig> narrow(const SandboxConfig& owners, const SandboxSettings& asked);

}  // namespace glovebox::config
