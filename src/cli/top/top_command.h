// `glovebox top`: live view of runs, pool, servers and rates of a workspace.
#pragma once

namespace glovebox::cli {

class Command;
void add_top_command(Command& app);

}  // namespace glovebox::cli
