#include "jail/launcher.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/sched.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <utility>

#include "base/clone_process.h"
#include "base/system_error.h"
#include "base/try.h"
#include "jail/control_socket.h"
#include "jail/layers.h"
#include "jail/seccomp_policy.h"
#include "jail/zygote_protocol.h"

namespace glovebox::jail {
namespace {

constexpr std::uint64_t kNamespaces =
    CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNS | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP;
constexpr int kBootTimeoutMs = 30'000;

constexpr const char* kPreload = "LD_PRELOAD=/proc/self/fd/5";

enum Go : char { kDropGroups = 1, kKeepGroups = 2 };

struct ChildPlan {
  int control_fd;
  int engine_fd;
  int library_fd;
  int image_fd;
  int go_fd;        // one byte, a Go: the uid and gid maps are written
  bool change_ids;  // to `id`, because the gateway is root
  unsigned id;
};

[[noreturn]] void child_fails(const ChildPlan& plan, const char* step) {
  const int error_number = errno;
  char message[256];
  const MessageType type = MessageType::kBootFailed;
  std::memcpy(message, &type, sizeof type);
  // No allocation and no locale here: this is the copy of a process with threads.
  std::size_t size = sizeof type;
  const auto append = [&](const char* text) {
    for (; *text && size < sizeof message; ++text) message[size++] = *text;
  };
  append(step);
  append(": ");
  append(::strerrordesc_np(error_number));
  send_packet(plan.control_fd, message, size, -1);
  ::_exit(1);
}

// Between clone and exec: system calls only.
[[noreturn]] void become_zygote(const ChildPlan& plan) {
  char go = 0;
  if (::read(plan.go_fd, &go, 1) != 1) ::_exit(1);
  if (plan.change_ids) {
    if (go == kDropGroups && ::syscall(SYS_setgroups, 0, nullptr) != 0) child_fails(plan, "setgroups");
    // EINVAL: a container whose root is all it has. Its own id has no more rights than the container.
    if (::syscall(SYS_setresgid, plan.id, plan.id, plan.id) != 0 && errno != EINVAL) child_fails(plan, "setresgid");
    if (::syscall(SYS_setresuid, plan.id, plan.id, plan.id) != 0 && errno != EINVAL) child_fails(plan, "setresuid");
  }
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::setsid();  // a person's Ctrl-C is for the gateway alone
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  if (::chdir("/") != 0) child_fails(plan, "chdir");

  // Move the four away from the numbers that they are to get, then into place.
  const int control = ::fcntl(plan.control_fd, F_DUPFD_CLOEXEC, 10);
  const int engine = ::fcntl(plan.engine_fd, F_DUPFD_CLOEXEC, 10);
  const int library = ::fcntl(plan.library_fd, F_DUPFD_CLOEXEC, 10);
  const int image = ::fcntl(plan.image_fd, F_DUPFD_CLOEXEC, 10);
  const int nowhere = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  if (control < 0 || engine < 0 || library < 0 || image < 0 || nowhere < 0) child_fails(plan, "descriptors");
  if (::dup2(nowhere, 0) < 0 || ::dup2(nowhere, 1) < 0 || ::dup2(control, kControlFd) < 0 ||
      ::dup3(engine, kEngineFd, O_CLOEXEC) < 0 || ::dup2(library, kLibraryFd) < 0 || ::dup2(image, kImageFd) < 0) {
    child_fails(plan, "descriptors");
  }
  ::syscall(SYS_close_range, static_cast<unsigned>(kImageFd + 1), ~0u, 0u);

  const char* const arguments[] = {"glovebox-guest", nullptr};
  // The whole environment: a fixed locale and time zone, so that results do not depend on the host's.
  const char* const environment[] = {kPreload, "TZ=UTC", "LC_ALL=en_US.UTF-8", nullptr};
  ::syscall(SYS_execveat, kEngineFd, "", arguments, environment, AT_EMPTY_PATH);
  ChildPlan after = plan;
  after.control_fd = kControlFd;
  child_fails(after, "starting the engine");
}

bool write_file(const std::string& path, const std::string& text) {
  const base::UniqueFd file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  return file.valid() && ::write(file.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

// Maps the namespace's only user, 0, to an id without rights on the host. Inside a container that has no such id, to
// our own, which then has no more rights than the container.
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

// Not where the gateway itself sits in a user namespace that gave the right up.
bool may_drop_groups() {
  char text[8] = {};
  const base::UniqueFd file(::open("/proc/self/setgroups", O_RDONLY | O_CLOEXEC));
  return !file.valid() || ::read(file.get(), text, sizeof text - 1) <= 0 || std::strncmp(text, "deny", 4) != 0;
}

Failure missing_namespaces(int error_number) {
  for (const Layer& layer : probe_layers()) {
    if (!layer.present && layer.name.ends_with("-namespace")) {
      return {ErrorCode::kFeatureMissing,
              "this kernel refuses the layer " + layer.name + " (" + layer.detail + "). To mend it: " + layer.remedy};
    }
  }
  return {ErrorCode::kFeatureMissing,
          base::system_failure(error_number, "starting the zygote in namespaces of its own").message};
}

Result<base::UniqueFd> open_for_child(const std::string& path, const char* what) {
  base::UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.valid()) return file;
  return Failure{ErrorCode::kNotFound,
                 base::system_failure(errno, std::string(what) + " " + path).message + "; run `make build`"};
}

Result<std::uint32_t> find_missing_layers(const LaunchSpec& spec) {
  std::uint32_t missing = 0;
  if (landlock_abi() == 0) missing |= kWithoutLandlock;
  if (!timestamp_trap_works()) missing |= kWithoutTimestampTrap;
  const std::uint32_t refused = missing & ~spec.accepted_missing;
  if (refused == 0) return missing;
  const std::string name = names_of_layers(refused).front();
  return Failure{ErrorCode::kFeatureMissing, "this kernel lacks the layer " + name +
                                                 "; `glovebox doctor` says what to do, --degraded=" + name +
                                                 " runs without it"};
}

// Waits for Ready on the control socket.
Result<void> await_ready(int control) {
  pollfd event{control, POLLIN, 0};
  int ready;
  do {
    ready = ::poll(&event, 1, kBootTimeoutMs);
  } while (ready < 0 && errno == EINTR);
  if (ready == 0) return Failure{ErrorCode::kSandboxUnavailable, "the zygote did not boot in time"};
  char message[4096];
  int fd = -1;
  ssize_t size = receive_packet(control, message, sizeof message, fd);
  // A zygote that failed before it read our greeting resets the connection, and its reason is behind that error.
  if (size < 0 && errno == ECONNRESET) size = receive_packet(control, message, sizeof message, fd);
  MessageType type{};
  if (size < static_cast<ssize_t>(sizeof type)) {
    return Failure{ErrorCode::kSandboxUnavailable, "the zygote ended while it booted"};
  }
  std::memcpy(&type, message, sizeof type);
  if (type == MessageType::kReady) return {};
  const std::string reason(message + sizeof type, message + size);
  if (reason.starts_with("empty-root: ")) {
    return Failure{ErrorCode::kFeatureMissing,
                   "this kernel refuses the layer " + reason +
                       "; `glovebox doctor` says what to do, --degraded=namespaces runs without it"};
  }
  return Failure{ErrorCode::kSandboxUnavailable, "the zygote could not start: " + reason};
}

}  // namespace

Result<ZygoteProcess> ZygoteProcess::launch(const LaunchSpec& spec) {
  const std::uint32_t missing = GLOVEBOX_TRY(find_missing_layers(spec));
  auto zygote = launch_once(spec, missing);
  const bool namespaces_refused = !zygote && zygote.failure().code == ErrorCode::kFeatureMissing;
  if (!namespaces_refused || !(spec.accepted_missing & kWithoutNamespaces)) return zygote;
  return launch_once(spec, missing | kWithoutNamespaces);
}

Result<ZygoteProcess> ZygoteProcess::launch_once(const LaunchSpec& spec, std::uint32_t missing) {
  const std::vector<sock_filter> filter = GLOVEBOX_TRY(compile_seccomp_filter());
  const base::UniqueFd engine = GLOVEBOX_TRY(open_for_child(spec.engine_path, "the engine"));
  const base::UniqueFd library = GLOVEBOX_TRY(open_for_child(spec.library_path, "the guest library"));

  const std::string image_path = spec.library_path.substr(0, spec.library_path.rfind('.')) + ".image";
  const base::UniqueFd image = GLOVEBOX_TRY(open_for_child(image_path, "the boot image"));

  int sockets[2];
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets) != 0) {
    return base::system_failure(errno, "socketpair");
  }
  base::UniqueFd ours(sockets[0]);
  base::UniqueFd theirs(sockets[1]);
  int pipe_ends[2];
  if (::pipe2(pipe_ends, O_CLOEXEC) != 0) return base::system_failure(errno, "pipe");
  base::UniqueFd go_read(pipe_ends[0]);
  base::UniqueFd go_write(pipe_ends[1]);

  const bool root = ::geteuid() == 0;
  const bool namespaces = !(missing & kWithoutNamespaces);
  const ChildPlan plan{
      theirs.get(), engine.get(), library.get(), image.get(), go_read.get(), root, namespaces ? 0 : kGuestUid};
  int pidfd_number = -1;
  const long pid = base::clone_process((namespaces ? kNamespaces : 0) | CLONE_PIDFD, &pidfd_number);
  if (pid < 0 && namespaces) return missing_namespaces(errno);
  if (pid < 0) return base::system_failure(errno, "starting the zygote");
  if (pid == 0) {
    ::close(go_write.get());
    become_zygote(plan);
  }
  ZygoteProcess zygote(std::move(ours), base::UniqueFd(pidfd_number), missing);
  theirs.reset();
  go_read.reset();
  Go go = may_drop_groups() ? kDropGroups : kKeepGroups;
  if (namespaces) go = GLOVEBOX_TRY(map_ids(static_cast<pid_t>(pid), root));

  Hello hello;
  hello.missing_layers = missing;
  hello.warm_typescript = spec.warm_typescript;
  hello.filter_instructions = static_cast<std::uint32_t>(filter.size());
  std::vector<char> greeting(sizeof hello + filter.size() * sizeof(sock_filter));
  std::memcpy(greeting.data(), &hello, sizeof hello);
  std::memcpy(greeting.data() + sizeof hello, filter.data(), filter.size() * sizeof(sock_filter));
  const bool greeted =
      ::write(go_write.get(), &go, 1) == 1 && send_packet(zygote.control_fd(), greeting.data(), greeting.size(), -1);
  // A child that could not become a zygote has said why, and may be gone before the greeting was sent: listen first.
  GLOVEBOX_TRY_VOID(await_ready(zygote.control_fd()));
  if (!greeted) return Failure{ErrorCode::kSandboxUnavailable, "the zygote ended before it was greeted"};
  return zygote;
}

ZygoteProcess& ZygoteProcess::operator=(ZygoteProcess&& other) noexcept {
  if (this != &other) {
    kill_and_reap();
    control_ = std::move(other.control_);
    pidfd_ = std::move(other.pidfd_);
    missing_ = other.missing_;
  }
  return *this;
}

ZygoteProcess::~ZygoteProcess() {
  kill_and_reap();
}

void ZygoteProcess::kill_and_reap() {
  if (!pidfd_.valid()) return;
  control_.reset();
  ::syscall(SYS_pidfd_send_signal, pidfd_.get(), SIGKILL, nullptr, 0);
  siginfo_t info;
  while (::waitid(P_PIDFD, static_cast<id_t>(pidfd_.get()), &info, WEXITED | __WALL) < 0 && errno == EINTR) {
  }
  pidfd_.reset();
}

}  // namespace glovebox::jail
