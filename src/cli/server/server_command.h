// `glovebox server`: lists, adds, removes and tests MCP servers.
#pragma once

namespace glovebox::cli {

class Command;
void add_server_command(Command& app);

}  // namespace glovebox::cli
