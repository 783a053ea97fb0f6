// glovebox trace: how a run went, as the store knows it.
#pragma once

namespace glovebox::cli {

class Command;
void add_trace_command(Command& app);

}  // namespace glovebox::cli
