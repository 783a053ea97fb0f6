#include "jail/confinement/namespaces.h"

#include <errno.h>
#include <linux/capability.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/clone_process.h"

namespace glovebox::jail {
namespace {

// Without CAP_KILL, guests of another user could not be ended.
bool may_kill() {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct held[2] = {};
  return ::syscall(SYS_capget, &header, held) == 0 && (held[0].effective & (1u << CAP_KILL)) != 0;
}

bool is_forbidden(int error_number) {
  return error_number == EPERM || error_number == EACCES || error_number == ENOSPC || error_number == EINVAL;
}

}  // namespace

long clone_into_namespaces(std::uint64_t namespaces, bool root, int* pidfd, NamespacesBy& by) {
  const std::uint64_t flags = namespaces | (pidfd ? CLONE_PIDFD : 0);
  by = NamespacesBy::kUserNamespace;
  const long pid = base::clone_process(flags, pidfd);
  if (pid >= 0 || !root || !is_forbidden(errno) || !may_kill()) return pid;
  const int error_number = errno;
  by = NamespacesBy::kRoot;
  const long by_root = base::clone_process(flags & ~std::uint64_t{CLONE_NEWUSER}, pidfd);
  if (by_root < 0) errno = error_number;
  return by_root;
}

}  // namespace glovebox::jail
