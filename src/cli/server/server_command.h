// `glovebox server`: which MCP servers there are, and whether they work.
#pragma once

namespace glovebox::cli {

class Command;
void add_server_command(Command& app);

}  // namespace glovebox::cli
