// The command line as a whole: which command, which options.
#pragma once

namespace glovebox::frontend {

int run_command_line(int argc, char** argv);

}  // namespace glovebox::frontend
