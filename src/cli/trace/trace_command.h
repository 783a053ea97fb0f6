// `glovebox trace`: shows the trace of a run, from the store.
#pragma once

namespace glovebox::cli {

class Command;
void add_trace_command(Command& app);

}  // namespace glovebox::cli
