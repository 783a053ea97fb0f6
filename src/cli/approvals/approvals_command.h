// `glovebox approvals`: what waits for a person, and the answer to it.
#pragma once

namespace glovebox::cli {

class Command;
void add_approvals_command(Command& app);

}  // namespace glovebox::cli
