// `glovebox audit`: shows and verifies the audit log.
#pragma once

namespace glovebox::cli {

class Command;
void add_audit_command(Command& app);

}  // namespace glovebox::cli
