// Names of servers: valid in code, patterns, files and for people.
#pragma once

#include <string>
#include <string_view>

#include "glovebox/result.h"

namespace glovebox::config {

// Names that have another meaning wherever code has an object of names.
bool is_reserved_name(std::string_view name);

// The name for a key of mcpServers: letters, digits, - and _, at most 64 of them. Other characters become a _. Fails
// when nothing usable is left.
Result<std::string> server_name_for(std::string_view declared);

}  // namespace glovebox::config
