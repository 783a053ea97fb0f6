// client-id: identifies this workspace to the gateways that it talks to. Random, made once.
#pragma once

#include <string>

#include "glovebox/result.h"

namespace glovebox::capability {

// The one in this state folder, which gets one if it has none. Two that come at once get the same.
Result<std::string> client_id(const std::string& state_folder);

}  // namespace glovebox::capability
