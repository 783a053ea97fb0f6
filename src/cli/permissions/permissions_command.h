// `glovebox permissions`: what the policy says of a call, and why.
#pragma once

namespace glovebox::cli {

class Command;
void add_permissions_command(Command& app);

}  // namespace glovebox::cli
