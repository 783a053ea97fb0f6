// `glovebox privacy`: what the filter finds in a text.
#pragma once

namespace glovebox::cli {

class Command;
void add_privacy_command(Command& app);

}  // namespace glovebox::cli
