// The tokens that the HTTP server of a gateway accepts besides http.token of the config.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "assembly/tokens/access_tokens.h"
#include "mcp/http/caller.h"

namespace glovebox::assembly {

mcp::Caller caller_of(const AccessToken& token);

// Those of `glovebox token`, as they are at the moment, and `watcher`, which may be empty: observe.token of the config.
std::function<std::optional<mcp::Caller>(std::string_view token)> find_callers(const std::string& state_folder,
                                                                               std::string watcher);

}  // namespace glovebox::assembly
