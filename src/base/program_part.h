// Files that belong to the program and stand beside it.
#pragma once

#include <string>

namespace glovebox::base {

// Beside the program as it is built and installed; else where this library was built.
std::string program_part(const std::string& name);

}  // namespace glovebox::base
