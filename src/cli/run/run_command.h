// `glovebox run FILE.json`: runs a workflow from this terminal.
#pragma once

namespace glovebox::cli {

class Command;
void add_run_command(Command& app);

}  // namespace glovebox::cli
