// glovebox trace: how a run went, as the store knows it.
#pragma once

namespace glovebox::frontend {

class Command;
void add_trace_command(Command& app);

}  // namespace glovebox::frontend
