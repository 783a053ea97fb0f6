// Asks the person at the terminal to confirm, for commands that widen what agents may do.
#pragma once

#include <optional>
#include <string>

#include "gateway/approvals/approval_request.h"

namespace glovebox::cli {

// Whether the person at the terminal says yes to this; nothing where there is no terminal. They type a code that is
// made here and shown there: a program that only runs the command does not know it. `note` is shown below the request.
std::optional<bool> confirmed_by_code(const gateway::ApprovalRequest& request, const std::string& note);

}  // namespace glovebox::cli
