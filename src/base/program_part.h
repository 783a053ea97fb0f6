// Files that belong to the program: the engine, what is loaded into it, the type checker, the model.
#pragma once

#include <string>

namespace glovebox::base {

// What to do where one of them is missing or damaged.
inline constexpr const char* kIncompleteCopy =
    "this copy of Glovebox is incomplete: reinstall it, or run `make build` in its source folder";

// Beside the program, or beside what an installed library finds at ../libexec/glovebox. What npm installs as a package
// of its own is in the node_modules that we are in. Where there is none, the place beside the program.
std::string program_part(const std::string& name);
// The same for a program in `folder`, which ends in a slash.
std::string part_of_program_in(const std::string& folder, const std::string& name);

}  // namespace glovebox::base
