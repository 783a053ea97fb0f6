// glovebox privacy: what the filter sees in a text.
#pragma once

namespace glovebox::cli {

class Command;
void add_privacy_command(Command& app);

}  // namespace glovebox::cli
