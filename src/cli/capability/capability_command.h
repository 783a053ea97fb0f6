// `glovebox capability` and `glovebox route`.
#pragma once

namespace glovebox::cli {

class Command;
void add_capability_command(Command& app);

}  // namespace glovebox::cli
