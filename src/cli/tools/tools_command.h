// `glovebox tools`: what the connected servers offer, as the owner sees and uses it.
#pragma once

namespace glovebox::cli {

class Command;
void add_tools_command(Command& app);

}  // namespace glovebox::cli
