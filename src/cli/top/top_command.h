// glovebox top: runs, pool, servers and rates of a workspace, as they are now.
#pragma once

namespace glovebox::cli {

class Command;
void add_top_command(Command& app);

}  // namespace glovebox::cli
