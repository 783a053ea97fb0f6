// `glovebox init`: a workspace's glovebox.json out of what other clients have, with first rules, in one go.
#pragma once

namespace glovebox::cli {

class Command;

void add_init_command(Command& app);

}  // namespace glovebox::cli
