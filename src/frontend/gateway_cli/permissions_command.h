// `glovebox permissions`: what the policy says of a call, and why.
#pragma once

namespace CLI {
class App;
}

namespace glovebox::frontend {

class Commands;
void add_permissions_command(CLI::App& app, Commands& commands);

}  // namespace glovebox::frontend
