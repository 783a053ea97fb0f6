// Where the keeper of a standby engine and the commands that use one meet: a socket in a folder that is its user's
// alone. The socket is named after the build, so that no command meets a keeper of another one.
#pragma once

#include <sys/socket.h>
#include <sys/un.h>

#include <string>

#include "base/unique_fd.h"
#include "glovebox/result.h"

namespace glovebox::standby {

// $XDG_RUNTIME_DIR/glovebox/standby; where that is not set, in the folder for state. Empty: neither is known.
std::string folder_path();
// Whether what it lies in is there, and this user's: another user's is not the place for our folders.
Result<void> check_base_folder();
// Opens it. It must be this user's, no link, and closed to others.
Result<base::UniqueFd> open_folder(const std::string& path);

// Empty if a part of the program is missing.
std::string socket_name();
// Of a socket in an open folder, whatever is at its path by now.
sockaddr_un address_in(const base::UniqueFd& folder, const std::string& name);

// The file that a keeper holds locked as long as it lives. It has the keeper's pid.
inline constexpr const char* kLockName = "keeper";

}  // namespace glovebox::standby
