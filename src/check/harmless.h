// Findings that a right program may have: what a type cannot know, and what breaks nothing at run time.
#pragma once

#include "check/agent_text.h"
#include "check/finding.h"

namespace glovebox::check {

// Such findings are told and never held against the program. Nothing is lost by that: the arguments of every call are
// checked against the tool's schema when it is made.
bool is_harmless(const Finding& finding, const AgentText& text);

}  // namespace glovebox::check
