// Findings that a correct program may have: what types cannot express, and what breaks nothing at run time.
#pragma once

#include "check/agent_text.h"
#include "check/finding.h"

namespace glovebox::check {

// Such findings are reported but never stop the program. Nothing is lost: the arguments of every call are checked
// against the tool's schema when it is made.
bool is_harmless(const TypeFinding& finding, const AgentText& text);

}  // namespace glovebox::check
