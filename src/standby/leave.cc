#include "standby/leave.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/file.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "base/system_error.h"
#include "standby/keeper.h"
#include "standby/place.h"

namespace glovebox::standby {
namespace {

int spawn_keeper(const std::string& folder, const std::string& milliseconds) {
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  for (const int fd : {0, 1, 2}) ::posix_spawn_file_actions_addopen(&actions, fd, "/dev/null", O_RDWR, 0);
  ::posix_spawn_file_actions_addclosefrom_np(&actions, 3);
  sigset_t all, none;
  sigfillset(&all);
  sigemptyset(&none);
  posix_spawnattr_t attributes;
  ::posix_spawnattr_init(&attributes);
  ::posix_spawnattr_setsigdefault(&attributes, &all);
  ::posix_spawnattr_setsigmask(&attributes, &none);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  const char* const arguments[] = {"glovebox", kKeeperCommand, folder.c_str(), milliseconds.c_str(), nullptr};
  const char* const environment[] = {nullptr};
  pid_t pid;
  const int error = ::posix_spawn(&pid, "/proc/self/exe", &actions, &attributes, const_cast<char* const*>(arguments),
                                  const_cast<char* const*>(environment));
  ::posix_spawnattr_destroy(&attributes);
  ::posix_spawn_file_actions_destroy(&actions);
  return error;
}

}  // namespace

Result<void> leave_keeper(std::chrono::milliseconds time) {
  if (find_keeper() != 0) return {};
  const std::string folder = folder_path();
  if (folder.empty()) return Failure{ErrorCode::kInvalidArgument, "neither XDG_RUNTIME_DIR nor HOME is set"};
  if (const int error = spawn_keeper(folder, std::to_string(time.count())); error != 0)
    return base::system_failure(error, "starting the keeper of an engine");
  return {};
}

pid_t find_keeper() {
  const auto folder = open_folder(folder_path());
  if (!folder) return 0;
  const base::UniqueFd file(::openat(folder->get(), kLockName, O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
  if (!file.valid() || ::flock(file.get(), LOCK_SH | LOCK_NB) == 0) return 0;
  char text[16] = {};
  return ::pread(file.get(), text, sizeof text - 1, 0) > 0 ? std::atoi(text) : 0;
}

}  // namespace glovebox::standby
