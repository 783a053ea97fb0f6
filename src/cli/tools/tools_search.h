// `glovebox tools search`: what an agent would find for an intent.
#pragma once

namespace glovebox::cli {

class Command;
void add_tools_search(Command& tools);

}  // namespace glovebox::cli
