// The frame that starts a run in its guest.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "glovebox/sandbox.h"

namespace glovebox::broker {

// Seed and clock are set. `plan`: server names, for code that is to be planned instead of run.
std::string run_frame(const RunRequest& request, const std::optional<std::vector<std::string>>& plan);

}  // namespace glovebox::broker
