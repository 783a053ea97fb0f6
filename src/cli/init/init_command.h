// `glovebox init`: creates glovebox.json from the configs of other clients, with first rules.
#pragma once

namespace glovebox::cli {

class Command;

void add_init_command(Command& app);

}  // namespace glovebox::cli
