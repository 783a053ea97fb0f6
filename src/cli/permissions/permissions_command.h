// `glovebox permissions`: lists the rules, and explains the verdict on a call.
#pragma once

namespace glovebox::cli {

class Command;
void add_permissions_command(Command& app);

}  // namespace glovebox::cli
