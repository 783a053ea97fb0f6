// The rule that an approval for a run, a session or always adds: what may happen again without asking.
//
// The agent chooses the spelling of its arguments, so no spelling may widen the rule. Every argument is fixed to its
// value, and no others are allowed. A file inside the workspace is widened to its folder if the argument's name says
// that it is a file; never to the whole workspace, a hidden folder, or our own files.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "store/records.h"

namespace glovebox::gateway {

// `calls` are of one tool, and not empty. Nothing if no rule is as narrow as they are: then an approval is for once.
std::optional<std::string> remembered_rule(const std::vector<const store::ApprovalCall*>& calls,
                                           std::string_view workspace);

}  // namespace glovebox::gateway
