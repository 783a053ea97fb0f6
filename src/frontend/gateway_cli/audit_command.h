// `glovebox audit`: what was done, by whom, and whether the record of it is whole.
#pragma once

namespace CLI {
class App;
}

namespace glovebox::frontend {

class Commands;
void add_audit_command(CLI::App& app, Commands& commands);

}  // namespace glovebox::frontend
