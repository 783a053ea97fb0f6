// Finds a granted program, once, when its run is prepared.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "policy/run_grants.h"

namespace glovebox::calls {

// A name is searched in `search_path` (as PATH; folders in it that are not absolute are skipped, because the current
// folder may be one that a guest writes to). A grant with a slash is a path. Only a regular file that we may execute
// counts.
std::optional<policy::ProgramFile> find_program(const std::string& grant, std::string_view search_path);

}  // namespace glovebox::calls
