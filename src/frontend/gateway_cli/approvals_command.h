// `glovebox approvals`: what waits for a person, and the answer to it.
#pragma once

namespace CLI {
class App;
}

namespace glovebox::frontend {

class Commands;
void add_approvals_command(CLI::App& app, Commands& commands);

}  // namespace glovebox::frontend
