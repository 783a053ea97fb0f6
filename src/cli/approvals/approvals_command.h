// `glovebox approvals`: what waits for a person, and the answer to it.
#pragma once

namespace glovebox::frontend {

class Command;
void add_approvals_command(Command& app);

}  // namespace glovebox::frontend
