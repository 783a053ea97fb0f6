// `glovebox server`: which MCP servers there are, and whether they work.
#pragma once

namespace CLI {
class App;
}

namespace glovebox::frontend {

class Commands;
void add_server_command(CLI::App& app, Commands& commands);

}  // namespace glovebox::frontend
