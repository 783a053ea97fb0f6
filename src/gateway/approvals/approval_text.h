// An approval request as text: for a terminal, a form, or an agent's conversation.
//
// The agent's text comes first, framed and truncated. What is decided comes last, directly above the question: who
// asks, the calls with all their arguments, what was called since the last request, and the rule that an approval for
// more than once would add. Nothing that the agent writes can appear there unframed.
#pragma once

#include <cstddef>
#include <string>

#include "gateway/approvals/approval_request.h"

namespace glovebox::gateway {

struct ApprovalLayout {
  std::size_t columns = 80;
  std::size_t code_lines = 20;  // of the agent's code
  bool agents_words = true;     // its code and intent; an agent that reads this knows them
};

// Deterministic: a question that is asked again must be the same.
std::string approval_text(const ApprovalRequest& request, const ApprovalLayout& layout = {});

// Whether an approval can hold beyond these calls.
bool can_be_remembered(const ApprovalRequest& request);
std::size_t calls_on(const ApprovalRequest& request);

}  // namespace glovebox::gateway
