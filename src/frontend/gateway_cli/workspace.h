// The workspace that a command is about: its folder, its config file, its state.
#pragma once

#include <string>

#include "config/config_file.h"
#include "glovebox/result.h"

namespace glovebox::frontend {

class Command;

struct WorkspaceFlags {
  std::string workspace;  // --workspace
  std::string config;     // --config
  bool json = false;      // --json
};
void add_workspace_flags(Command& command, WorkspaceFlags& flags);

struct Workspace {
  std::string folder;        // absolute
  std::string config_path;   // which may not exist
  std::string state_folder;  // .glovebox, or a .pml that is there; may not exist
  config::ConfigFile config;
};

// The file that was named must exist, unless it may be made; the workspace's own need not. The failure's message is for
// people.
Result<Workspace> open_workspace(const WorkspaceFlags& flags, bool may_make_config = false);

}  // namespace glovebox::frontend
