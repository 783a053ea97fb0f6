// `glovebox audit`: what was done, by whom, and whether the record of it is whole.
#pragma once

namespace glovebox::cli {

class Command;
void add_audit_command(Command& app);

}  // namespace glovebox::cli
