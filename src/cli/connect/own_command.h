// The command with which a client starts this copy of Glovebox.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace glovebox::cli {

// `program`: the program itself, which in an installation is libexec/glovebox/glovebox. `path`: the value of PATH.
//
// The name alone where PATH leads to this copy, so that an update which moves it changes nothing; `npx -y glovebox`
// where npx has started it, from a cache that npm may empty; otherwise the full path.
std::vector<std::string> own_command(const std::string& program, std::string_view path);

}  // namespace glovebox::cli
