// `glovebox approvals`: lists and answers approval requests.
#pragma once

namespace glovebox::cli {

class Command;
void add_approvals_command(Command& app);

}  // namespace glovebox::cli
