// `glovebox server`: which MCP servers there are, and whether they work.
#pragma once

namespace glovebox::frontend {

class Command;
void add_server_command(Command& app);

}  // namespace glovebox::frontend
