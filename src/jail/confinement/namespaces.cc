#include "jail/confinement/namespaces.h"

#include <errno.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/clone_process.h"
#include "jail/confinement/privileges.h"

namespace glovebox::jail {
namespace {

constexpr unsigned kMount = 1u << CAP_SYS_ADMIN;
constexpr unsigned kDropRights = 1u << CAP_SETPCAP;

// Of the capabilities that root has, only these two, which go with it into the next program.
bool keep_rights_to_mount() {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct held[2] = {};
  if (::syscall(SYS_capget, &header, held) != 0) return false;
  const unsigned kept = held[0].permitted & (kMount | kDropRights);
  const __user_cap_data_struct wanted[2] = {{kept, kept, kept}, {}};
  if (::syscall(SYS_capset, &header, wanted) != 0) return false;
  for (const unsigned long capability : {CAP_SYS_ADMIN, CAP_SETPCAP}) {
    const bool is_kept = kept & (1u << capability);
    if (is_kept && ::prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, capability, 0, 0) != 0) return false;
  }
  return true;
}

// Guests of another user can be ended only with it.
bool may_kill() {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct held[2] = {};
  return ::syscall(SYS_capget, &header, held) == 0 && (held[0].effective & (1u << CAP_KILL)) != 0;
}

bool is_forbidden(int error_number) {
  return error_number == EPERM || error_number == EACCES || error_number == ENOSPC || error_number == EINVAL;
}

}  // namespace

long clone_into_namespaces(bool root, int* pidfd, NamespacesBy& by) {
  const std::uint64_t report = pidfd ? CLONE_PIDFD : 0;
  by = NamespacesBy::kUserNamespace;
  const long pid = base::clone_process(CLONE_NEWUSER | kNamespacesBesideUser | report, pidfd);
  if (pid >= 0 || !root || !is_forbidden(errno) || !may_kill()) return pid;
  const int error_number = errno;
  by = NamespacesBy::kRoot;
  const long by_root = base::clone_process(kNamespacesBesideUser | report, pidfd);
  if (by_root < 0) errno = error_number;
  return by_root;
}

bool become_user_who_mounts(Go go, const char*& failed_step) {
  const auto step = [&](const char* name, bool ok) {
    if (!ok) failed_step = name;
    return ok;
  };
  return step("bounding set", limit_bounding_set(kMount | kDropRights)) &&
         step("keep capabilities", ::prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0) == 0) &&
         become_user(kGuestUid, go, failed_step) && step("capabilities", keep_rights_to_mount());
}

}  // namespace glovebox::jail
