// `glovebox init`: a workspace's glovebox.json out of what other clients have, with first rules, in one go.
#pragma once

namespace glovebox::frontend {

class Command;

void add_init_command(Command& app);

}  // namespace glovebox::frontend
