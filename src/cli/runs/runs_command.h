// `glovebox runs`: lists, shows and cancels the runs of this workspace.
#pragma once

namespace glovebox::cli {

class Command;
void add_runs_command(Command& app);

}  // namespace glovebox::cli
