// `glovebox runs`: runs of this workspace.
#pragma once

namespace glovebox::frontend {

class Command;
void add_runs_command(Command& app);

}  // namespace glovebox::frontend
