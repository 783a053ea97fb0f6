// Servers that a program calls and that are unknown here: where there is a remote gateway, it is asked to call them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace glovebox::code_check {

// The names behind `mcp.`, in `mcp["…"]` and in `{ … } = mcp`, each once, without `known` ones and those that are
// `known` misspelt. Read by their letters, also in comments: such a name is a server that may have any tool, and no
// more.
std::vector<std::string> foreign_servers(std::string_view code, const std::vector<std::string>& known);

}  // namespace glovebox::code_check
