// The rule that a yes for a run, a session or always adds: what a person lets happen again without being asked.
//
// The agent chooses how its arguments are spelled, so nothing of the spelling may widen the rule. Every argument is
// fixed to its value, and no other may be there. A file inside the workspace stands for its folder where the argument's
// name says that it is a file; never for the workspace as a whole, a folder with a dot in front, or our own files.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "store/records.h"

namespace glovebox::gateway {

// `calls` are of one tool, and not empty. Nothing where no rule is as narrow as they are: then a yes is for once.
std::optional<std::string> remembered_rule(const std::vector<const store::ApprovalCall*>& calls,
                                           std::string_view workspace);

}  // namespace glovebox::gateway
