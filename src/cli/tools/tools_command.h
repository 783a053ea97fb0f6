// `glovebox tools`: lists, inspects and calls the tools of the connected servers, for the owner.
#pragma once

namespace glovebox::cli {

class Command;
void add_tools_command(Command& app);

}  // namespace glovebox::cli
