#include "jail/layers.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>

#include "base/clone_process.h"
#include "base/unique_fd.h"
#include "jail/privileges.h"
#include "jail/zygote_protocol.h"

namespace glovebox::jail {
namespace {

struct NamedBit {
  const char* name;
  std::uint32_t bit;
};
constexpr NamedBit kDegradable[] = {
    {"namespaces", kWithoutNamespaces},
    {"landlock", kWithoutLandlock},
    {"timestamp-counter", kWithoutTimestampTrap},
};

// Runs `test` in a child made with these clone flags. 0 when it succeeded, else an error number.
int try_in_child(std::uint64_t flags, bool (*test)()) {
  const long pid = base::clone_process(flags);
  if (pid < 0) return errno;
  if (pid == 0) ::_exit(test() ? 0 : (errno ? errno : 1));
  int status = 0;
  while (::waitpid(static_cast<pid_t>(pid), &status, __WALL) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status)) return WEXITSTATUS(status);
  return EFAULT;
}

std::string reason(int error_number) {
  char buffer[128];
  return error_number == 0 ? "works" : ::strerror_r(error_number, buffer, sizeof buffer);
}

Layer probe_namespace(const char* name, std::uint64_t flag) {
  Layer layer{name, false, true, "", ""};
  const int error = try_in_child(CLONE_NEWUSER | flag, [] { return true; });
  layer.present = error == 0;
  layer.detail = reason(error);
  if (!layer.present) {
    layer.remedy =
        "enable user namespaces (sysctl user.max_user_namespaces, kernel.unprivileged_userns_clone, "
        "kernel.apparmor_restrict_unprivileged_userns=0), or accept it with --degraded=namespaces";
  }
  return layer;
}

}  // namespace

int landlock_abi() {
  const long abi = ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
  return abi < 1 ? 0 : static_cast<int>(abi);
}

bool timestamp_trap_works() {
  // Sets what is set already: the same path as the seal's, without an effect.
  int mode = 0;
  return ::prctl(PR_GET_TSC, &mode, 0, 0, 0) == 0 && ::prctl(PR_SET_TSC, mode, 0, 0, 0) == 0;
}

std::vector<Layer> probe_layers() {
  std::vector<Layer> layers;
  layers.push_back(probe_namespace("user-namespace", 0));
  layers.push_back(probe_namespace("pid-namespace", CLONE_NEWPID));
  layers.push_back(probe_namespace("mount-namespace", CLONE_NEWNS));
  layers.push_back(probe_namespace("network-namespace", CLONE_NEWNET));
  layers.push_back(probe_namespace("ipc-namespace", CLONE_NEWIPC));
  layers.push_back(probe_namespace("uts-namespace", CLONE_NEWUTS));
  layers.push_back(probe_namespace("cgroup-namespace", CLONE_NEWCGROUP));

  Layer root{"empty-root", false, true, "", "accept it with --degraded=namespaces"};
  const int root_error = try_in_child(CLONE_NEWUSER | CLONE_NEWNS, [] {
    const char* failed_step = nullptr;
    return enter_empty_root(failed_step);
  });
  root.present = root_error == 0;
  root.detail = reason(root_error);
  layers.push_back(root);

  Layer landlock{"landlock", landlock_abi() > 0, true, "",
                 "boot a kernel with CONFIG_SECURITY_LANDLOCK and lsm=landlock,…"};
  landlock.detail = landlock.present ? "ABI " + std::to_string(landlock_abi()) : "not in this kernel";
  landlock.remedy += ", or accept it with --degraded=landlock";
  layers.push_back(landlock);

  Layer seccomp{"seccomp", false, false, "", "boot a kernel with CONFIG_SECCOMP_FILTER; there is no mode without it"};
  std::uint32_t action = SECCOMP_RET_KILL_PROCESS;
  seccomp.present = ::syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
  seccomp.detail = seccomp.present ? "filter with KILL_PROCESS" : reason(errno);
  layers.push_back(seccomp);

  Layer no_new_privileges{"no-new-privileges", ::prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) >= 0, false, "works",
                          "boot Linux 3.5 or later"};
  layers.push_back(no_new_privileges);

  Layer timestamp{"timestamp-counter", timestamp_trap_works(), true, "", "accept it with --degraded=timestamp-counter"};
  timestamp.detail = timestamp.present ? "can be trapped" : "cannot be trapped";
  layers.push_back(timestamp);

  Layer pidfd{"pidfd", false, false, "", "boot Linux 5.9 or later"};
  const base::UniqueFd self(static_cast<int>(::syscall(SYS_pidfd_open, ::getpid(), 0)));
  pidfd.present = self.valid();
  pidfd.detail = pidfd.present ? "works" : reason(errno);
  layers.push_back(pidfd);

  Layer proc{"proc", ::access("/proc/self/fd", X_OK) == 0, false, "", "mount /proc"};
  proc.detail = proc.present ? "mounted" : "not mounted";
  layers.push_back(proc);
  return layers;
}

std::uint32_t layer_bit(const std::string& name) {
  for (const NamedBit& layer : kDegradable) {
    if (name == layer.name) return layer.bit;
  }
  return 0;
}

std::vector<std::string> names_of_layers(std::uint32_t bits) {
  std::vector<std::string> names;
  for (const NamedBit& layer : kDegradable) {
    if (bits & layer.bit) names.emplace_back(layer.name);
  }
  return names;
}

std::string degradable_layer_names() {
  std::string text;
  for (const NamedBit& layer : kDegradable) {
    if (!text.empty()) text += ", ";
    text += layer.name;
  }
  return text;
}

}  // namespace glovebox::jail
