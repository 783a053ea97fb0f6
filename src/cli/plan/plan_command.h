// `glovebox plan FILE`: which tools a program can call, and what the owner's rules say to each, before it runs.
#pragma once

namespace glovebox::cli {

class Command;
void add_plan_command(Command& app);

}  // namespace glovebox::cli
