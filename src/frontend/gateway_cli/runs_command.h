// `glovebox runs`: runs of this workspace.
#pragma once

namespace CLI {
class App;
}

namespace glovebox::frontend {

class Commands;
void add_runs_command(CLI::App& app, Commands& commands);

}  // namespace glovebox::frontend
