// Where the security-relevant data of a workspace is kept: database, answers, keys, tokens, audit log. It belongs to
// the owner and is never in the workspace, which may have come with an untrusted repository.
//
//   $XDG_STATE_HOME/glovebox/workspaces/NAME-HASH/       or ~/.local/state/glovebox/…
//     workspace.json     which folder it belongs to: path, device, inode, time of birth
#pragma once

#include <string>

#include "glovebox/result.h"

namespace glovebox::config {

// $XDG_STATE_HOME/glovebox, or ~/.local/state/glovebox. Fails where neither is known.
Result<std::string> state_home();

// Distinguishes a folder from another one that later has its path, also where the file system reuses an inode.
Result<std::string> folder_identity(const std::string& folder);

struct StateFolder {
  std::string path;
  bool exists = false;
  // A notice to the owner about a folder that was just created: another has state that may be meant. Else empty.
  std::string notice;
};

// The state folder of the workspace, an absolute path without links. Another folder that had the same path before has a
// different one. Refused if it belongs to another user, is open to others, or is a link.
Result<StateFolder> find_state_folder(const std::string& workspace);
// The same; it is created if missing.
Result<StateFolder> make_state_folder(const std::string& workspace);

}  // namespace glovebox::config
