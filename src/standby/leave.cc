#include "standby/leave.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/file.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "base/sockets/socket_pair.h"
#include "standby/handover.h"
#include "standby/keeper.h"
#include "standby/place.h"

namespace glovebox::standby {
namespace {

void spawn_keeper(const std::string& folder, const std::string& milliseconds) {
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  for (const int fd : {0, 1, 2}) ::posix_spawn_file_actions_addopen(&actions, fd, "/dev/null", O_RDWR, 0);
  ::posix_spawn_file_actions_addclosefrom_np(&actions, 3);
  ::posix_spawn_file_actions_addchdir_np(&actions, "/");
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
  ::posix_spawn(&pid, "/proc/self/exe", &actions, &attributes, const_cast<char* const*>(arguments),
                const_cast<char* const*>(environment));
  ::posix_spawnattr_destroy(&attributes);
  ::posix_spawn_file_actions_destroy(&actions);
}

}  // namespace

Result<void> check_standby() {
  if (auto base = check_base_folder(); !base) return base;
  const auto folder = open_folder(folder_path());
  if (!folder && folder.failure().code != ErrorCode::kNotFound) return folder.failure();
  const auto pair = base::socket_pair(SOCK_SEQPACKET);
  if (!pair || !pidfd_of_peer(pair->ours.get()).valid())
    return Failure{ErrorCode::kFeatureMissing, "this kernel does not say which process connects; Linux 6.5 does"};
  return {};
}

void leave_keeper(std::chrono::milliseconds time) {
  if (find_keeper() == 0 && check_standby()) spawn_keeper(folder_path(), std::to_string(time.count()));
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
