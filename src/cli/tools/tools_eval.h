// `glovebox tools eval`: how well search finds the right tools in labelled data, without any server.
#pragma once

namespace glovebox::cli {

class Command;
// Below `tools`.
void add_tools_eval_command(Command& tools);

}  // namespace glovebox::cli
