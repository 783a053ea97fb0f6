// `glovebox tools`: what the connected servers offer, as the owner sees and uses it.
#pragma once

namespace CLI {
class App;
}

namespace glovebox::frontend {

class Commands;
void add_tools_command(CLI::App& app, Commands& commands);

}  // namespace glovebox::frontend
