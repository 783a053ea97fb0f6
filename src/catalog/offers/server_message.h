// notifications/message: what a server logs.
#pragma once

#include <optional>
#include <string_view>

#include "catalog/catalog.h"

namespace glovebox::catalog {

// Nothing when it is not such a message.
std::optional<ServerMessage> read_message(std::string_view params);

}  // namespace glovebox::catalog
