// The frame that starts a run in its guest.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "glovebox/sandbox.h"

namespace glovebox::broker {

// The frame is this head, the context of the request, and kRunFrameEnd: a large context is sent from where it is. Seed
// and clock are set. `plan`: server names, for code that is to be planned instead of run.
std::string run_frame_head(const RunRequest& request, const std::optional<std::vector<std::string>>& plan);

inline constexpr std::string_view kRunFrameEnd = "}";

}  // namespace glovebox::broker
