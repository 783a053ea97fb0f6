// An approval request (card) as people read it: on a terminal, in a form, in an agent's conversation.
//
// The agent's words come first, in a frame and cut short. What is decided comes last, directly above the question: who
// asks, the calls with all their arguments, what is new since the last request, and the rule that a yes for more than
// once would add. Whatever the agent writes, it cannot stand there.
#pragma once

#include <cstddef>
#include <string>

#include "gateway/approvals/approval_card.h"

namespace glovebox::gateway {

struct CardLook {
  std::size_t columns = 80;
  std::size_t code_lines = 20;  // of the agent's code
  bool agents_words = true;     // its code and intent; whoever wrote them knows them
};

// The same for the same card, to the letter: a question that is asked again must be the same.
std::string card_text(const ApprovalCard& card, const CardLook& look = {});

// Whether a yes can hold beyond these calls.
bool can_be_remembered(const ApprovalCard& card);
std::size_t calls_on(const ApprovalCard& card);

}  // namespace glovebox::gateway
