#include "workspace/open_store.h"

#include <errno.h>
#include <pwd.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <memory>

#include "base/private_folder.h"
#include "base/try.h"
#include "base/wall_clock.h"
#include "config/state/state_folder.h"
#include "config/variables.h"
#include "gateway/privacy/kept_key.h"
#include "policy/path_grants.h"
#include "workspace/report.h"

namespace glovebox::cli {

namespace {

// A repository must not bring the database along that decides in it: a config in the workspace may name a place outside
// only, which like every folder of state is the owner's alone.
Result<void> check_place(const Workspace& workspace, const std::string& path) {
  const auto is_in_workspace = [&](const std::string& what) {
    const std::unique_ptr<char, decltype(&::free)> real(::realpath(what.c_str(), nullptr), ::free);
    return policy::is_at_or_beneath(real ? real.get() : what, workspace.folder);
  };
  const std::string folder(policy::parent_path(path));
  if (is_in_workspace(folder) && is_in_workspace(workspace.config_path)) {
    return Failure{ErrorCode::kInvalidArgument,
                   path +
                       " is not used: store.path points into the workspace, so it may have come with a repository. " +
                       "Remove it, name a place outside, or keep this config outside and name it with --config"};
  }
  const auto opened = base::open_private_folder(folder);
  if (!opened && opened.failure().code != ErrorCode::kNotFound) return opened.failure();
  return {};
}

}  // namespace

// Where the config says, as a path meant from its folder; else in the state folder.
std::string store_path(const Workspace& workspace) {
  const std::string& path = workspace.config.gateway.store.path;
  if (path.empty()) return workspace.state_folder + "/glovebox.db";
  return policy::normal_path(policy::parent_path(workspace.config_path), path);
}

Result<store::RowKey> row_key() {
  const std::string home = GLOVEBOX_TRY(config::state_home());
  GLOVEBOX_TRY_VOID(base::make_private_folders(home));
  return gateway::keep_key(home + "/store.key");
}

Result<std::unique_ptr<store::Store>> make_store(const Workspace& workspace, store::Progress progress) {
  if (!progress) progress = [](const std::string& line) { print_note("glovebox: " + line); };
  const std::string& address = workspace.config.gateway.store.address;
  if (!address.empty()) {
    const std::string expanded = GLOVEBOX_TRY(config::expand_variables(address, config::process_variable));
    if (!store::is_postgres_address(expanded)) {
      return Failure{ErrorCode::kInvalidArgument, "the store's address does not begin with postgres://"};
    }
    return store::Store::connect(expanded, GLOVEBOX_TRY(row_key()), progress);
  }
  const std::string path = store_path(workspace);
  if (workspace.config.gateway.store.path.empty()) {
    GLOVEBOX_TRY(config::make_state_folder(workspace.folder));
  } else {
    GLOVEBOX_TRY_VOID(check_place(workspace, path));
  }
  return store::Store::open(std::string(policy::parent_path(path)), GLOVEBOX_TRY(row_key()),
                            std::string(policy::last_name(path)), progress);
}

Result<std::unique_ptr<store::Store>> open_store(const Workspace& workspace) {
  struct stat status {};
  const bool is_file = workspace.config.gateway.store.address.empty();
  if (is_file && ::lstat(store_path(workspace).c_str(), &status) != 0 && errno == ENOENT) {
    return std::unique_ptr<store::Store>();
  }
  return make_store(workspace);
}

std::string shown_store(const Workspace& workspace) {
  const std::string& address = workspace.config.gateway.store.address;
  if (address.empty()) return store_path(workspace);
  const auto expanded = config::expand_variables(address, config::process_variable);
  return expanded ? store::shown_address(expanded.value()) : "postgres://…";
}

Retention retention_of(const Workspace& workspace) {
  const config::StoreSettings& settings = workspace.config.gateway.store;
  Retention retention;
  if (settings.keep_runs) retention.keep_runs = static_cast<std::size_t>(*settings.keep_runs);
  if (settings.keep_days) retention.keep_for = std::chrono::hours(24 * *settings.keep_days);
  return retention;
}

std::string age_of(std::int64_t created_ms) {
  const std::int64_t seconds = (base::now_ms() - created_ms) / 1000;
  if (seconds < 60) return std::to_string(seconds) + " s";
  if (seconds < 3600) return std::to_string(seconds / 60) + " min";
  if (seconds < 2 * 86400) return std::to_string(seconds / 3600) + " h";
  return std::to_string(seconds / 86400) + " days";
}

std::string this_person() {
  const uid_t uid = ::getuid();
  const passwd* entry = ::getpwuid(uid);
  const std::string number = "uid " + std::to_string(uid);
  return entry && entry->pw_name ? std::string(entry->pw_name) + " (" + number + ")" : number;
}

}  // namespace glovebox::cli
