// Names of servers: what code, patterns, files and people can all say.
#pragma once

#include <string>
#include <string_view>

#include "glovebox/result.h"

namespace glovebox::config {

// Names that mean something else wherever code has an object of names.
bool is_reserved_name(std::string_view name);

// The name for a key of mcpServers: letters, digits, - and _, at most 64 of them. Other characters become a _. Fails
// when nothing is left that could be a name.
Result<std::string> server_name_for(std::string_view declared);

}  // namespace glovebox::config
