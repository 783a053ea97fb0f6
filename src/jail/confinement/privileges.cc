#include "jail/confinement/privileges.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/keyctl.h>
#include <linux/landlock.h>
#include <linux/securebits.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>
#include <string_view>

namespace glovebox::jail {
namespace {

// Rights that Debian 12's headers do not know; the kernel's ABI number says whether it has them.
constexpr std::uint64_t kFsUpToAbi1 = (1ull << 13) - 1;
constexpr std::uint64_t kFsRefer = 1ull << 13;        // ABI 2
constexpr std::uint64_t kFsTruncate = 1ull << 14;     // ABI 3
constexpr std::uint64_t kNetTcp = (1ull << 2) - 1;    // ABI 4: bind, connect
constexpr std::uint64_t kFsIoctl = 1ull << 15;        // ABI 5
constexpr std::uint64_t kScopeAll = (1ull << 2) - 1;  // ABI 6: abstract sockets, signals

struct Ruleset {
  std::uint64_t handled_access_fs;
  std::uint64_t handled_access_net;
  std::uint64_t scoped;
};

constexpr unsigned kMount = 1u << CAP_SYS_ADMIN;
constexpr unsigned kDropRights = 1u << CAP_SETPCAP;

// Keeps only these two of root's capabilities, also across the exec.
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

}  // namespace

bool limit_bounding_set(std::uint64_t kept) {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct held[2] = {};
  if (::syscall(SYS_capget, &header, held) != 0) return false;
  const bool may_drop = held[0].effective & (1u << CAP_SETPCAP);
  for (unsigned long capability = 0; may_drop && capability < 64; ++capability) {
    if (kept & (1ull << capability)) continue;
    if (::prctl(PR_CAPBSET_READ, capability, 0, 0, 0) == 1 && ::prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) != 0) {
      return false;
    }
  }
  return true;
}

bool become_user(unsigned id, Go go, const char*& failed_part) {
  const auto part = naming_parts(failed_part);
  // EINVAL: a container that maps no other id. Its own id has no more rights than the container.
  return part("setgroups", go != kDropGroups || ::syscall(SYS_setgroups, 0, nullptr) == 0) &&
         part("setresgid", ::syscall(SYS_setresgid, id, id, id) == 0 || errno == EINVAL) &&
         part("setresuid", ::syscall(SYS_setresuid, id, id, id) == 0 || errno == EINVAL);
}

bool become_user_who_mounts(Go go, const char*& failed_part) {
  const auto part = naming_parts(failed_part);
  return part("bounding set", limit_bounding_set(kMount | kDropRights)) &&
         part("keep capabilities", ::prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0) == 0) &&
         become_user(kGuestUid, go, failed_part) && part("capabilities", keep_rights_to_mount());
}

bool drop_all_capabilities() {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct held[2] = {};
  if (!limit_bounding_set(0) || ::syscall(SYS_capget, &header, held) != 0) return false;
  const bool may_drop = held[0].effective & (1u << CAP_SETPCAP);
  if (::prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) != 0) return false;
  constexpr unsigned long kLocked = SECBIT_NOROOT | SECBIT_NOROOT_LOCKED | SECBIT_NO_SETUID_FIXUP |
                                    SECBIT_NO_SETUID_FIXUP_LOCKED | SECBIT_KEEP_CAPS_LOCKED |
                                    SECBIT_NO_CAP_AMBIENT_RAISE | SECBIT_NO_CAP_AMBIENT_RAISE_LOCKED;
  if (may_drop && ::prctl(PR_SET_SECUREBITS, kLocked, 0, 0, 0) != 0) return false;
  __user_cap_data_struct none[2] = {};
  if (::syscall(SYS_capset, &header, none) != 0) return false;
  __user_cap_data_struct left[2] = {};
  if (::syscall(SYS_capget, &header, left) != 0) return false;
  for (const auto& set : left) {
    if (set.effective || set.permitted || set.inheritable) return false;
  }
  return true;
}

bool restrict_with_landlock(std::span<const ReadableTree> readable) {
  const long abi = ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
  if (abi < 1) return false;
  Ruleset ruleset{kFsUpToAbi1, 0, 0};
  std::size_t size = sizeof ruleset.handled_access_fs;
  if (abi >= 2) ruleset.handled_access_fs |= kFsRefer;
  if (abi >= 3) ruleset.handled_access_fs |= kFsTruncate;
  if (abi >= 4) {
    ruleset.handled_access_net = kNetTcp;
    size += sizeof ruleset.handled_access_net;
  }
  if (abi >= 5) ruleset.handled_access_fs |= kFsIoctl;
  if (abi >= 6) {
    ruleset.scoped = kScopeAll;
    size += sizeof ruleset.scoped;
  }
  const long fd = ::syscall(SYS_landlock_create_ruleset, &ruleset, size, 0);
  if (fd < 0) return false;
  bool restricted = true;
  for (const ReadableTree& tree : readable) {
    struct stat facts {};
    if (::fstat(tree.fd, &facts) != 0) restricted = false;
    landlock_path_beneath_attr rule{};
    rule.allowed_access = LANDLOCK_ACCESS_FS_READ_FILE;
    if (S_ISDIR(facts.st_mode)) rule.allowed_access |= LANDLOCK_ACCESS_FS_READ_DIR;
    if (tree.may_execute) rule.allowed_access |= LANDLOCK_ACCESS_FS_EXECUTE;
    rule.parent_fd = tree.fd;
    if (::syscall(SYS_landlock_add_rule, fd, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) != 0) restricted = false;
  }
  restricted = restricted && ::syscall(SYS_landlock_restrict_self, fd, 0) == 0;
  ::close(static_cast<int>(fd));
  return restricted;
}

namespace {

bool join_empty_keyring() {
  return ::syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, nullptr) >= 0 || errno == ENOSYS;
}

// A container's filter may deny it (Podman's does). Then the name is the container's, which says nothing about the
// host.
bool set_neutral_name() {
  constexpr std::string_view kHost = "glovebox";
  return (::sethostname(kHost.data(), kHost.size()) == 0 && ::setdomainname("", 0) == 0) || errno == EPERM;
}

// Where /proc/sys is read-only, as in most containers, the filter alone denies them.
bool forbid_user_namespaces() {
  const int file = ::open("/proc/sys/user/max_user_namespaces", O_WRONLY | O_CLOEXEC);
  if (file < 0) return errno == EROFS || errno == EACCES || errno == ENOENT;
  const bool written = ::write(file, "0", 1) == 1;
  ::close(file);
  return written;
}

}  // namespace

bool leave_keys_and_names(bool own_user_namespace, const char*& failed_part) {
  const auto part = naming_parts(failed_part);
  return part("join an empty keyring", join_empty_keyring()) && part("set the host name", set_neutral_name()) &&
         part("forbid user namespaces", !own_user_namespace || forbid_user_namespaces());
}

}  // namespace glovebox::jail
