// Where what decides for a workspace is kept: database, answers, keys, tokens, audit log. It lies with the owner and
// never in the workspace, which may have come with someone else's repository.
//
//   $XDG_STATE_HOME/glovebox/workspaces/NAME-HASH/       or ~/.local/state/glovebox/…
//     workspace.json     which folder it belongs to: path, device, inode, time of birth
#pragma once

#include <string>

#include "glovebox/result.h"

namespace glovebox::config {

// $XDG_STATE_HOME/glovebox, or ~/.local/state/glovebox. Fails where neither is known.
Result<std::string> state_home();

// Tells a folder from another one that later has its path, also where the file system uses an inode again.
Result<std::string> folder_identity(const std::string& folder);

struct StateFolder {
  std::string path;
  bool exists = false;
  // What the owner should know of a folder that was just made: another has state that may be meant. Else empty.
  std::string notice;
};

// The state folder of the workspace, an absolute path without links. Another folder that had the same path before has
// another one. Refused: what belongs to somebody else, is open to others, or is a link.
Result<StateFolder> find_state_folder(const std::string& workspace);
// The same; one that is missing is made.
Result<StateFolder> make_state_folder(const std::string& workspace);

}  // namespace glovebox::config
