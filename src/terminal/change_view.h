// The changes of an overlay as a person reads them.
#pragma once

#include <string>

#include "glovebox/change_set.h"

namespace glovebox::cli {

std::string describe_changes(const ChangeSet& changes, bool run_failed);

}  // namespace glovebox::cli
