// A command's side: asks the keeper for its engine.
#pragma once

#include <optional>

#include "standby/handover.h"

namespace glovebox::standby {

// How long engines stand by, as an owner writes it: 60s. Not set, or empty: none does.
inline constexpr const char* kVariable = "GLOVEBOX_STANDBY";

// Waits for a moment at most. Nothing: the command starts an engine of its own.
std::optional<StandbyEngine> request_engine();

}  // namespace glovebox::standby
