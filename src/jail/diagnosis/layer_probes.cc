#include "jail/diagnosis/layer_probes.h"

#include <errno.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>

#include "base/clone_process.h"
#include "base/system_error.h"
#include "base/unique_fd.h"
#include "jail/confinement/namespaces.h"
#include "jail/confinement/own_root.h"
#include "jail/diagnosis/namespace_blocker.h"
#include "jail/layers.h"

namespace glovebox::jail {
namespace {

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

// `by_root`: the clone flags for root, where user namespaces are forbidden.
Layer probe_namespace(const char* name, std::uint64_t flags, std::uint64_t by_root, bool (*test)()) {
  Layer layer{.name = name, .waived_by = "namespaces"};
  const int error = try_in_child(CLONE_NEWUSER | flags, test);
  layer.present = error == 0;
  layer.detail = reason(error);
  if (layer.present) return layer;
  const NamespaceBlocker blocker = find_namespace_blocker(read_namespace_facts(error));
  const std::string blocked_by = blocker.who + ": " + blocker.why;
  if (::geteuid() == 0 && try_in_child(by_root, test) == 0) {
    layer.present = true;
    layer.detail =
        flags ? "works, created by root" : "forbidden (" + blocked_by + "); root makes the others without it";
    return layer;
  }
  layer.blocked_by = blocked_by;
  layer.remedy = blocker.fix;
  return layer;
}

Layer probe_namespace(const char* name, std::uint64_t flag, bool (*test)()) {
  return probe_namespace(name, flag, flag, test);
}

// A layer that depends on the kernel alone.
Layer kernel_layer(const char* name, bool present, std::string detail, const char* needs, const char* waived_by = "") {
  Layer layer{.name = name, .present = present, .detail = std::move(detail), .waived_by = waived_by};
  if (!present) {
    layer.blocked_by = "kernel: " + layer.detail;
    layer.remedy = needs;
  }
  return layer;
}

}  // namespace

bool can_make_user_namespace() {
  return try_in_child(CLONE_NEWUSER, [] { return true; }) == 0;
}

std::vector<Layer> probe_layers() {
  std::vector<Layer> layers;
  const auto nothing = [] { return true; };
  layers.push_back(probe_namespace("user-namespace", 0, kNamespacesBesideUser, nothing));
  layers.push_back(probe_namespace("pid-namespace", CLONE_NEWPID, nothing));
  layers.push_back(probe_namespace("mount-namespace", CLONE_NEWNS, nothing));
  layers.push_back(probe_namespace("network-namespace", CLONE_NEWNET, nothing));
  layers.push_back(probe_namespace("ipc-namespace", CLONE_NEWIPC, nothing));
  layers.push_back(probe_namespace("uts-namespace", CLONE_NEWUTS, nothing));
  layers.push_back(probe_namespace("cgroup-namespace", CLONE_NEWCGROUP, nothing));
  layers.push_back(probe_namespace("empty-root", CLONE_NEWNS, [] {
    const char* failed_part = nullptr;
    return enter_own_root(kEmptyRoot, {}, failed_part);
  }));

  const int abi = landlock_abi();
  layers.push_back(kernel_layer("landlock", abi > 0, abi > 0 ? "ABI " + std::to_string(abi) : "not in this kernel",
                                "boot a kernel with CONFIG_SECURITY_LANDLOCK=y and lsm=landlock,…", "landlock"));

  std::uint32_t action = SECCOMP_RET_KILL_PROCESS;
  const bool filters = ::syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
  layers.push_back(kernel_layer("seccomp", filters, filters ? "filter with KILL_PROCESS" : reason(errno),
                                "boot a kernel with CONFIG_SECCOMP_FILTER=y; there is no mode without it"));

  const bool no_new_privileges = ::prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) >= 0;
  layers.push_back(kernel_layer("no-new-privileges", no_new_privileges, no_new_privileges ? "works" : reason(errno),
                                "boot Linux 3.5 or later"));

  const bool trapped = timestamp_trap_works();
  layers.push_back(kernel_layer("timestamp-counter", trapped, trapped ? "can be trapped" : "cannot be trapped",
                                "run on x86-64 hardware, or a virtual machine, that can trap rdtsc",
                                "timestamp-counter"));

  const base::UniqueFd self(static_cast<int>(::syscall(SYS_pidfd_open, ::getpid(), 0)));
  layers.push_back(
      kernel_layer("pidfd", self.valid(), self.valid() ? "works" : reason(errno), "boot Linux 5.9 or later"));

  const bool proc = ::access("/proc/self/fd", X_OK) == 0;
  layers.push_back(
      kernel_layer("proc", proc, proc ? "mounted" : "/proc is not mounted", "sudo mount -t proc proc /proc"));
  return layers;
}

Failure refused_namespaces(int error_number) {
  for (const Layer& layer : probe_layers()) {
    if (!layer.present && layer.name.ends_with("-namespace")) {
      return {ErrorCode::kFeatureMissing, "this machine refuses the layer " + layer.name + " (" + layer.detail +
                                              "), blocked by " + layer.blocked_by + ". To fix: " + layer.remedy +
                                              "; or accept it with --degraded=" + layer.waived_by};
    }
  }
  return {ErrorCode::kFeatureMissing,
          base::system_failure(error_number, "starting a process in namespaces of its own").message};
}

}  // namespace glovebox::jail
