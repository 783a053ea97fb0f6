// `glovebox store` and `glovebox nodes`: what is kept, whether it is whole, and who drives it.
#pragma once

namespace glovebox::cli {

class Command;
void add_store_command(Command& app);
void add_nodes_command(Command& app);

}  // namespace glovebox::cli
