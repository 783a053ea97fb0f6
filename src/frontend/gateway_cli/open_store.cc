#include "frontend/gateway_cli/open_store.h"

#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>

namespace glovebox::frontend {

Result<std::unique_ptr<store::Store>> open_store(const Workspace& workspace) {
  struct stat status {};
  if (::lstat((workspace.state_folder + "/glovebox.db").c_str(), &status) != 0 && errno == ENOENT) {
    return std::unique_ptr<store::Store>();
  }
  return store::Store::open(workspace.state_folder);
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
