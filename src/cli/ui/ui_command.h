// glovebox ui: the page on which a person decides, sees and finds, served on loopback to their browser.
#pragma once

namespace glovebox::cli {

class Command;
void add_ui_command(Command& app);

}  // namespace glovebox::cli
