// `glovebox connect CLIENT`: puts Glovebox into a client's config in place of the servers that the workspace has, and
// back again.
#pragma once

namespace glovebox::cli {

class Command;

void add_connect_command(Command& app);

}  // namespace glovebox::cli
