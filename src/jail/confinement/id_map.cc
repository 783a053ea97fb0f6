#include "jail/confinement/id_map.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include <cstring>
#include <string>

#include "base/system_error.h"
#include "base/unique_fd.h"

namespace glovebox::jail {
namespace {

bool write_file(const std::string& path, const std::string& text) {
  const base::UniqueFd file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  return file.valid() && ::write(file.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

}  // namespace

Result<Go> map_ids(pid_t pid, bool root) {
  const std::string proc = "/proc/" + std::to_string(pid);
  const std::string guest = std::to_string(kGuestUid);
  if (root && write_file(proc + "/uid_map", "0 " + guest + " 1") &&
      write_file(proc + "/gid_map", "0 " + guest + " 1")) {
    return kDropGroups;
  }
  // An ordinary user may write the group map only after giving up setgroups.
  write_file(proc + "/setgroups", "deny");
  if (!write_file(proc + "/uid_map", "0 " + std::to_string(::geteuid()) + " 1") ||
      !write_file(proc + "/gid_map", "0 " + std::to_string(::getegid()) + " 1")) {
    return Failure{ErrorCode::kFeatureMissing,
                   base::system_failure(errno, "user-namespace: writing the map of user ids").message};
  }
  return kKeepGroups;
}

Go go_without_maps() {
  char text[8] = {};
  const base::UniqueFd file(::open("/proc/self/setgroups", O_RDONLY | O_CLOEXEC));
  const bool denied =
      file.valid() && ::read(file.get(), text, sizeof text - 1) > 0 && std::strncmp(text, "deny", 4) == 0;
  return denied ? kKeepGroups : kDropGroups;
}

}  // namespace glovebox::jail
