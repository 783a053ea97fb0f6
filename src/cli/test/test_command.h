// `glovebox test`: recorded runs against changed code or changed tools.
#pragma once

namespace glovebox::cli {

class Command;
void add_test_command(Command& app);

}  // namespace glovebox::cli
