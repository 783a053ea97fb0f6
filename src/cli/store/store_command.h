// `glovebox store` and `glovebox nodes`: checks and maintains the store, and lists the gateways that use it.
#pragma once

namespace glovebox::cli {

class Command;
void add_store_command(Command& app);
void add_nodes_command(Command& app);

}  // namespace glovebox::cli
