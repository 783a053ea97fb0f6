// What a config says about calls, parsed once. A gateway starts with one, and gets another when the config changes.
#pragma once

#include "gateway/gateway_options.h"
#include "workspace/workspace.h"

namespace glovebox::assembly {

// With `without_cache` no result serves again, whatever the config says.
Result<gateway::CallPolicy> call_policy_of(const config::ConfigFile& config, const cli::Workspace& workspace,
                                           bool without_cache);

}  // namespace glovebox::assembly
