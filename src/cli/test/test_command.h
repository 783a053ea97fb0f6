// `glovebox test`: replays recorded runs with changed code or changed tools.
#pragma once

namespace glovebox::cli {

class Command;
void add_test_command(Command& app);

}  // namespace glovebox::cli
