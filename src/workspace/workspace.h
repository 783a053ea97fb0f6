// The workspace of a command: its folder, its config file, its state.
//
// Everything that decides (database, answers, keys, tokens, audit log) is in the owner's state folder. The workspace
// itself may have come with an untrusted repository.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "config/config_file.h"
#include "glovebox/result.h"
#include "policy/tool_rules.h"

namespace glovebox::cli {

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
  std::string state_folder;  // the owner's, for this workspace; may not exist (see config/state/state_folder.h)
  std::string dot_folder;    // .glovebox in the workspace, or a .pml that is there: what may be committed, and caches
  config::ConfigFile config;
  std::string untrusted;  // why only a part of the config counts; empty: all of it does
};

// The file that was named must exist, unless it may be made; the workspace's own need not. The failure's message is for
// people. A config that the owner has not agreed to gives nothing: at a terminal they are asked, elsewhere a note says
// so.
Result<Workspace> open_workspace(const WorkspaceFlags& flags, bool may_make_config = false);
// Likewise, where the streams belong to a protocol: nothing is asked and nothing said.
Result<Workspace> open_workspace_to_serve(const WorkspaceFlags& flags);
// With all that its config says, agreed to or not.
Result<Workspace> read_workspace(const WorkspaceFlags& flags, bool may_make_config = false);

// What decides for the workspace, and code that runs with the owner's rights: config, state, store, skills. No run
// writes there.
std::vector<std::string> own_paths(const Workspace& workspace, const config::ConfigFile& config);
// The rules of `config`, which is the workspace's or is to become it.
Result<policy::ToolRules> workspace_rules(const Workspace& workspace, const config::ConfigFile& config);

// Makes the state folder if it is missing, and reports what the owner should know of the state that is there.
Result<void> make_state(Workspace& workspace, const std::function<void(const std::string&)>& on_notice);

}  // namespace glovebox::cli
