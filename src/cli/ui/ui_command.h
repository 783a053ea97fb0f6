// `glovebox ui`: serves the page on loopback, and opens it in the person's browser.
#pragma once

namespace glovebox::cli {

class Command;
void add_ui_command(Command& app);

}  // namespace glovebox::cli
