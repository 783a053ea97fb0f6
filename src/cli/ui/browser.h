// Opens a page in the person's browser.
#pragma once

#include <string>

namespace glovebox::cli {

// False where there is no desktop, or nothing that opens pages. The address is in no command line, which every user
// of the machine can read: the browser gets a file of the owner's alone, which leads there.
bool open_in_browser(const std::string& address);

}  // namespace glovebox::cli
