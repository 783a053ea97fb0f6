#include "frontend/gateway_cli/open_store.h"

#include <errno.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>

#include "base/try.h"
#include "config/variables.h"
#include "policy/path_grants.h"

namespace glovebox::frontend {

namespace {

// Where the config says, as a path meant from its folder; else in the state folder.
std::string store_path(const Workspace& workspace) {
  const std::string& path = workspace.config.gateway.store.path;
  if (path.empty()) return workspace.state_folder + "/glovebox.db";
  return policy::normal_path(policy::parent_path(workspace.config_path), path);
}

}  // namespace

Result<std::unique_ptr<store::Store>> make_store(const Workspace& workspace) {
  const std::string& address = workspace.config.gateway.store.address;
  if (!address.empty()) {
    const std::string expanded = GLOVEBOX_TRY(config::expand_variables(address, config::process_variable));
    if (!store::is_postgres_address(expanded)) {
      return Failure{ErrorCode::kInvalidArgument, "the store's address does not begin with postgres://"};
    }
    return store::Store::connect(expanded);
  }
  const std::string path = store_path(workspace);
  return store::Store::open(std::string(policy::parent_path(path)), std::string(policy::last_name(path)));
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

std::int64_t now_ms() {
  using std::chrono::system_clock;
  return std::chrono::duration_cast<std::chrono::milliseconds>(system_clock::now().time_since_epoch()).count();
}

std::string age_of(std::int64_t created_ms) {
  const std::int64_t seconds = (now_ms() - created_ms) / 1000;
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

}  // namespace glovebox::frontend
