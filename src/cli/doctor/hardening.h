// Which protections against memory errors an executable of ours was built with, read from the file.
#pragma once

#include <string>
#include <vector>

#include "glovebox/result.h"

namespace glovebox::cli {

// What it lacks, in the words of the trade; empty: nothing. `is_library`: it is loaded, and no program itself.
Result<std::vector<std::string>> missing_hardening(const std::string& path, bool is_library = false);

}  // namespace glovebox::cli
