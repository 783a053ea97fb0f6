// Shows the changes of an overlay to people.
#pragma once

#include <string>

#include "glovebox/change_set.h"

namespace glovebox::cli {

std::string describe_changes(const ChangeSet& changes, bool run_failed);

}  // namespace glovebox::cli
