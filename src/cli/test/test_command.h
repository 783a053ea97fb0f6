// `glovebox test`: recorded runs against changed code or changed tools.
#pragma once

namespace glovebox::frontend {

class Command;
void add_test_command(Command& app);

}  // namespace glovebox::frontend
