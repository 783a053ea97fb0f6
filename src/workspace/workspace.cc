#include "workspace/workspace.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <memory>

#include "base/system_error.h"
#include "base/try.h"
#include "config/state/state_folder.h"
#include "gateway/config_policy.h"
#include "jail/python_cache.h"
#include "policy/path_grants.h"
#include "terminal/command.h"
#include "vfs/own/known_workspaces.h"
#include "vfs/paths/state_folder.h"
#include "workspace/report.h"
#include "workspace/workspace_trust.h"

namespace glovebox::cli {
namespace {

bool is_folder(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

bool exists(const std::string& path) {
  struct stat status {};
  return ::lstat(path.c_str(), &status) == 0;
}

Result<std::string> absolute(const std::string& path) {
  const std::unique_ptr<char, decltype(&::free)> real(::realpath(path.c_str(), nullptr), ::free);
  if (!real) return base::system_failure(errno, path);
  return std::string(real.get());
}

// Its owner can write the pins in it, so it must be a user who may change the workspace anyway.
Result<void> check_dot_folder(const Workspace& workspace) {
  struct stat folder {};
  struct stat above {};
  if (::lstat(workspace.dot_folder.c_str(), &folder) != 0) return {};
  const auto refused = [&](const char* why) {
    return Failure{ErrorCode::kInvalidArgument,
                   workspace.dot_folder + " is not used: " + why + "; remove it to continue"};
  };
  if (!S_ISDIR(folder.st_mode)) return refused("it is a link, or not a folder");
  if (::stat(workspace.folder.c_str(), &above) != 0) return base::system_failure(errno, workspace.folder);
  if (folder.st_uid != ::geteuid() && folder.st_uid != above.st_uid) return refused("it belongs to another user");
  if ((folder.st_mode & S_IWOTH) != 0) return refused("everyone may write to it");
  return {};
}

}  // namespace

void add_workspace_flags(Command& command, WorkspaceFlags& flags) {
  command.add_option("--workspace", flags.workspace, "The folder with glovebox.json (the current one)")
      ->type_name("DIR");
  command.add_option("--config", flags.config, "A config file other than the workspace's glovebox.json")
      ->type_name("FILE");
  command.add_flag("--json", flags.json, "Print one JSON object");
}

Result<Workspace> read_workspace(const WorkspaceFlags& flags, bool may_make_config) {
  Workspace workspace;
  workspace.folder = GLOVEBOX_TRY(absolute(flags.workspace.empty() ? "." : flags.workspace));
  if (!is_folder(workspace.folder)) return Failure{ErrorCode::kInvalidArgument, workspace.folder + " is not a folder"};
  workspace.config_path = workspace.folder + "/" + config::kConfigName;
  if (!flags.config.empty()) {
    const bool makes = may_make_config && !exists(flags.config);
    workspace.config_path = makes ? flags.config : GLOVEBOX_TRY(absolute(flags.config));
  }
  const bool has_old_state = is_folder(workspace.folder + "/.pml") && !is_folder(workspace.folder + "/.glovebox");
  workspace.dot_folder = workspace.folder + (has_old_state ? "/.pml" : "/.glovebox");
  GLOVEBOX_TRY_VOID(check_dot_folder(workspace));
  workspace.state_folder = GLOVEBOX_TRY(config::find_state_folder(workspace.folder)).path;
  workspace.config.path = workspace.config_path;
  if (!exists(workspace.config_path)) return workspace;
  auto config = config::read_config_file(workspace.config_path);
  if (!config) return Failure{ErrorCode::kInvalidArgument, config.failure().text()};
  workspace.config = std::move(config).value();
  return workspace;
}

Result<Workspace> open_workspace(const WorkspaceFlags& flags, bool may_make_config) {
  Workspace workspace = GLOVEBOX_TRY(read_workspace(flags, may_make_config));
  settle_trust(workspace, !flags.config.empty(), TrustQuestion::kAtTerminal);
  if (!workspace.untrusted.empty()) print_note(workspace.untrusted);
  return workspace;
}

Result<Workspace> open_workspace_to_serve(const WorkspaceFlags& flags) {
  Workspace workspace = GLOVEBOX_TRY(read_workspace(flags));
  settle_trust(workspace, !flags.config.empty(), TrustQuestion::kNever);
  return workspace;
}

std::vector<std::string> own_paths(const Workspace& workspace, const config::ConfigFile& config) {
  const std::string folder(policy::parent_path(workspace.config_path));
  std::vector<std::string> paths = {workspace.config_path, workspace.state_folder, workspace.dot_folder};
  if (const std::string& store = config.gateway.store.path; !store.empty()) {
    for (const char* part : {"", "-wal", "-shm", "-journal", "-turn"})
      paths.push_back(policy::normal_path(folder, store + part));
  }
  for (const config::ServerSpec& server : config.prepared_servers()) {
    if (server.classes) paths.push_back(policy::normal_path(folder, server.args.back()));
  }
  return paths;
}

Result<policy::ToolRules> workspace_rules(const Workspace& workspace, const config::ConfigFile& config) {
  auto rules = GLOVEBOX_TRY(gateway::rules_of(config.gateway.permissions, workspace.folder));
  std::vector<std::string> own = own_paths(workspace, config);
  for (std::string& folder : vfs::state_folder_candidates()) own.push_back(std::move(folder));
  if (std::string cache = jail::user_cache_folder(); !cache.empty()) own.push_back(std::move(cache));
  const auto known = std::make_shared<vfs::KnownWorkspaces>();
  rules.set_own({workspace.folder, std::move(own),
                 [known](const std::vector<std::string>& paths) { return known->include_any(paths); }});
  return rules;
}

Result<void> make_state(Workspace& workspace, const std::function<void(const std::string&)>& on_notice) {
  const auto made = GLOVEBOX_TRY(config::make_state_folder(workspace.folder));
  workspace.state_folder = made.path;
  if (!on_notice) return {};
  if (!made.notice.empty()) on_notice(made.notice);
  if (const std::string old = workspace.dot_folder + "/glovebox.db"; exists(old)) {
    on_notice(old + " is not used: the state that counts is outside the workspace, in " + made.path +
              ". If it is yours, run: glovebox store import");
  }
  return {};
}

}  // namespace glovebox::cli
