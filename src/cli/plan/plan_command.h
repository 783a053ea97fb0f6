// `glovebox plan FILE`: which tools a program can call, and the verdict of the rules on each, without running it.
#pragma once

namespace glovebox::cli {

class Command;
void add_plan_command(Command& app);

}  // namespace glovebox::cli
