// `glovebox connect CLIENT`: replaces the workspace's servers in a client's config by Glovebox, and undoes that.
#pragma once

namespace glovebox::cli {

class Command;

void add_connect_command(Command& app);

}  // namespace glovebox::cli
