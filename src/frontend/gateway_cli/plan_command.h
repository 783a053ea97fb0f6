// `glovebox plan FILE`: which tools a program can call, and what the owner's rules say to each, before it runs.
#pragma once

namespace CLI {
class App;
}

namespace glovebox::frontend {

class Commands;
void add_plan_command(CLI::App& app, Commands& commands);

}  // namespace glovebox::frontend
