// Roots: the folders in which a server may work, as we report them to it. That is the workspace, for servers that run
// on this machine; others need not know its name.
#pragma once

#include <string>
#include <string_view>

#include "config/server_spec.h"

namespace glovebox::catalog {

// The capabilities that we declare, with roots where this server may see them.
std::string with_roots(std::string capabilities, const config::ServerSpec& server);
// The result of roots/list; an empty `workspace` is the current folder.
std::string roots_result(const std::string& workspace);

}  // namespace glovebox::catalog
