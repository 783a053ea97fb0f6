#include "frontend/gateway_cli/open_store.h"

#include <errno.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>

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
  const std::string path = store_path(workspace);
  return store::Store::open(std::string(policy::parent_path(path)), std::string(policy::last_name(path)));
}

Result<std::unique_ptr<store::Store>> open_store(const Workspace& workspace) {
  struct stat status {};
  if (::lstat(store_path(workspace).c_str(), &status) != 0 && errno == ENOENT) return std::unique_ptr<store::Store>();
  return make_store(workspace);
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
