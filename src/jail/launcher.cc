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
#include "base/program_part.h"
#include "base/system_error.h"
#include "base/try.h"
#include "jail/confinement/id_map.h"
#include "jail/confinement/namespaces.h"
#include "jail/confinement/seccomp_policy.h"
#include "jail/control_socket.h"
#include "jail/layers.h"
#include "jail/process_state.h"
#include "jail/zygote_protocol.h"

namespace glovebox::jail {
namespace {

constexpr int kBootTimeoutMs = 30'000;

constexpr const char* kPreload = "LD_PRELOAD=/proc/self/fd/5";
// The loader takes a library that is there already for one that the engine needs by that name.
constexpr const char* kPreloadWithRuntime = "LD_PRELOAD=/proc/self/fd/5:/proc/self/fd/9:/proc/self/fd/10";

struct ChildPlan {
  int fds[kEndOfFds];  // what is to get each number; -1: nothing
  int go_fd;           // one byte, a Go: the uid and gid maps are written
  bool change_ids;     // to `id`, because the gateway is root
  unsigned id;
  NamespacesBy by = NamespacesBy::kUserNamespace;
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
  send_packet(plan.fds[kControlFd], message, size, -1);
  ::_exit(1);
}

// Every descriptor of the plan gets its number, and all others are closed.
void give_numbers(ChildPlan& plan) {
  const int nowhere = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  plan.fds[0] = plan.fds[1] = nowhere;
  plan.fds[2] = ::fcntl(2, F_GETFD) < 0 ? nowhere : 2;
  // Away from the numbers that are to be given, then into place.
  for (int& fd : plan.fds) {
    if (fd < 0) continue;
    const int away = ::fcntl(fd, F_DUPFD_CLOEXEC, kEndOfFds);
    if (away < 0) child_fails(plan, "descriptors");
    fd = away;
  }
  if (nowhere < 0) child_fails(plan, "descriptors");
  for (int number = 0; number < kEndOfFds; ++number) {
    if (plan.fds[number] < 0) {
      ::close(number);
    } else if (::dup3(plan.fds[number], number, number == kEngineFd ? O_CLOEXEC : 0) < 0) {
      child_fails(plan, "descriptors");
    }
  }
  plan.fds[kControlFd] = kControlFd;
  ::syscall(SYS_close_range, static_cast<unsigned>(kEndOfFds), ~0u, 0u);
}

// Between clone and exec: system calls only.
[[noreturn]] void become_zygote(ChildPlan plan) {
  char go = 0;
  if (::read(plan.go_fd, &go, 1) != 1) ::_exit(1);
  const char* failed_step = nullptr;
  const bool by_root = plan.by == NamespacesBy::kRoot;
  if (plan.change_ids && !(by_root ? become_user_who_mounts(static_cast<Go>(go), failed_step)
                                   : become_user(plan.id, static_cast<Go>(go), failed_step))) {
    child_fails(plan, failed_step);
  }
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::setsid();  // a person's Ctrl-C is for the gateway alone
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  if (::chdir("/") != 0) child_fails(plan, "chdir");

  give_numbers(plan);

  const char* const arguments[] = {"glovebox-guest", nullptr};
  const bool own_runtime = plan.fds[kCppRuntimeFd] >= 0;
  // The whole environment: a fixed locale and time zone, so that results do not depend on the host's.
  const char* const environment[] = {own_runtime ? kPreloadWithRuntime : kPreload, "TZ=UTC", "LC_ALL=en_US.UTF-8",
                                     nullptr};
  ::syscall(SYS_execveat, kEngineFd, "", arguments, environment, AT_EMPTY_PATH);
  child_fails(plan, "starting the engine");
}

// Where memory is short, the kernel takes a guest and not the gateway or somebody else. Guests inherit it, and cannot
// take it back. Where /proc cannot be written, they are like any other process.
void expose_to_memory_killer(pid_t pid) {
  const base::UniqueFd file(::open(("/proc/" + std::to_string(pid) + "/oom_score_adj").c_str(), O_WRONLY | O_CLOEXEC));
  if (file.valid()) (void)!::write(file.get(), "1000", 4);
}

Failure missing_namespaces(int error_number) {
  for (const Layer& layer : probe_layers()) {
    if (!layer.present && layer.name.ends_with("-namespace")) {
      return {ErrorCode::kFeatureMissing, "this machine refuses the layer " + layer.name + " (" + layer.detail +
                                              "), blocked by " + layer.blocked_by + ". To fix: " + layer.remedy +
                                              "; or accept it with --degraded=" + layer.waived_by};
    }
  }
  return {ErrorCode::kFeatureMissing,
          base::system_failure(error_number, "starting the zygote in namespaces of its own").message};
}

Result<base::UniqueFd> open_for_child(const std::string& path, const char* what) {
  base::UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.valid()) return file;
  return Failure{ErrorCode::kNotFound,
                 base::system_failure(errno, std::string(what) + " " + path).message + "; " + base::kIncompleteCopy};
}

// What an installation brings for the engine, because the host may lack it, stands in lib/ beside the guest library.
base::UniqueFd open_runtime(const LaunchSpec& spec, const char* name) {
  const std::string folder = spec.library_path.substr(0, spec.library_path.rfind('/') + 1);
  return base::UniqueFd(::open((folder + "lib/" + name).c_str(), O_RDONLY | O_CLOEXEC));
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

bool becomes_readable(int control) {
  pollfd event{control, POLLIN, 0};
  int ready;
  do {
    ready = ::poll(&event, 1, kBootTimeoutMs);
  } while (ready < 0 && errno == EINTR);
  return ready != 0;
}

// Ready on the control socket, or why not.
Result<Ready> read_ready(int control) {
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
  if (Ready ready; type == MessageType::kReady && size == static_cast<ssize_t>(sizeof ready)) {
    std::memcpy(&ready, message, sizeof ready);
    return ready;
  }
  const std::string reason(message + sizeof type, message + size);
  if (reason.starts_with("empty-root: ")) {
    return Failure{ErrorCode::kFeatureMissing,
                   "this kernel refuses the layer " + reason +
                       "; `glovebox doctor` says what to do, --degraded=namespaces runs without it"};
  }
  return Failure{ErrorCode::kSandboxUnavailable, "the zygote could not start: " + reason};
}

}  // namespace

Result<ZygoteProcess> ZygoteProcess::begin(const LaunchSpec& spec) {
  const std::uint32_t missing = GLOVEBOX_TRY(find_missing_layers(spec)) | spec.assume_missing;
  auto zygote = begin_once(spec, missing);
  const bool namespaces_refused = !zygote && zygote.failure().code == ErrorCode::kFeatureMissing;
  if (!namespaces_refused || !(spec.accepted_missing & kWithoutNamespaces)) return zygote;
  return begin_once(spec, missing | kWithoutNamespaces);
}

Result<void> ZygoteProcess::finish_boot() {
  huge_page_bytes_ = GLOVEBOX_TRY(read_ready(control_.get())).huge_page_bytes;
  return {};
}

Result<ZygoteProcess> ZygoteProcess::launch(const LaunchSpec& spec) {
  const std::uint32_t missing = GLOVEBOX_TRY(find_missing_layers(spec)) | spec.assume_missing;
  auto zygote = launch_once(spec, missing);
  const bool namespaces_refused = !zygote && zygote.failure().code == ErrorCode::kFeatureMissing;
  if (!namespaces_refused || !(spec.accepted_missing & kWithoutNamespaces)) return zygote;
  return launch_once(spec, missing | kWithoutNamespaces);
}

Result<ZygoteProcess> ZygoteProcess::launch_once(const LaunchSpec& spec, std::uint32_t missing) {
  ZygoteProcess zygote = GLOVEBOX_TRY(begin_once(spec, missing));
  if (!becomes_readable(zygote.control_fd())) {
    return Failure{ErrorCode::kSandboxUnavailable, "the zygote did not boot in time"};
  }
  GLOVEBOX_TRY_VOID(zygote.finish_boot());
  return zygote;
}

Result<ZygoteProcess> ZygoteProcess::begin_once(const LaunchSpec& spec, std::uint32_t missing) {
  const base::UniqueFd engine = GLOVEBOX_TRY(open_for_child(spec.engine_path, "the engine"));
  const base::UniqueFd library = GLOVEBOX_TRY(open_for_child(spec.library_path, "the guest library"));

  const std::string image_path = spec.library_path.substr(0, spec.library_path.rfind('.')) + ".image";
  const base::UniqueFd image = GLOVEBOX_TRY(open_for_child(image_path, "the boot image"));
  base::UniqueFd pack;
  const bool python = spec.kind != ZygoteKind::kJavaScript;
  if (python) pack = GLOVEBOX_TRY(open_for_child(spec.python_pack_path, "the Python pack"));

  int sockets[2];
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets) != 0) {
    return base::system_failure(errno, "socketpair");
  }
  base::UniqueFd ours(sockets[0]);
  base::UniqueFd theirs(sockets[1]);
  // Not a pipe: a zygote that was killed meanwhile would end this process by SIGPIPE.
  int go_ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, go_ends) != 0)
    return base::system_failure(errno, "socketpair");
  base::UniqueFd go_read(go_ends[0]);
  base::UniqueFd go_write(go_ends[1]);

  const bool root = ::geteuid() == 0;
  const bool namespaces = !(missing & kWithoutNamespaces);
  const base::UniqueFd runtime = open_runtime(spec, "libstdc++.so.6");
  const base::UniqueFd atomic = runtime.valid() ? open_runtime(spec, "libatomic.so.1") : base::UniqueFd();
  ChildPlan plan{{}, go_read.get(), root, namespaces ? 0 : kGuestUid};
  plan.fds[kControlFd] = theirs.get();
  plan.fds[kEngineFd] = engine.get();
  plan.fds[kLibraryFd] = library.get();
  plan.fds[kImageFd] = image.get();
  plan.fds[kPythonPackFd] = pack.get();
  plan.fds[kPythonImageFd] = python ? spec.python_image_fd : -1;
  plan.fds[kCppRuntimeFd] = runtime.get();
  plan.fds[kAtomicFd] = atomic.get();
  int pidfd_number = -1;
  const long pid = namespaces ? clone_into_namespaces(root, &pidfd_number, plan.by)
                              : base::clone_process(CLONE_PIDFD, &pidfd_number);
  if (pid < 0 && namespaces) return missing_namespaces(errno);
  if (pid < 0) return base::system_failure(errno, "starting the zygote");
  if (pid == 0) {
    ::close(go_write.get());
    become_zygote(plan);
  }
  const bool by_root = plan.by == NamespacesBy::kRoot;
  if (by_root) missing |= kWithoutUserNamespace;
  ZygoteProcess zygote(std::move(ours), base::UniqueFd(pidfd_number), static_cast<pid_t>(pid), missing);
  theirs.reset();
  go_read.reset();
  expose_to_memory_killer(static_cast<pid_t>(pid));
  Go go = go_without_maps();
  if (namespaces && !by_root) go = GLOVEBOX_TRY(map_ids(static_cast<pid_t>(pid), root));
  const bool started = ::send(go_write.get(), &go, 1, MSG_NOSIGNAL) == 1;

  // While the engine is being loaded.
  const std::vector<sock_filter> filter = GLOVEBOX_TRY(compile_seccomp_filter());
  Hello hello;
  hello.missing_layers = missing;
  hello.kind = spec.kind;
  hello.warm_typescript = spec.warm_typescript;
  hello.one_run = spec.one_run;
  hello.filter_instructions = static_cast<std::uint32_t>(filter.size());
  std::vector<char> greeting(sizeof hello + filter.size() * sizeof(sock_filter));
  std::memcpy(greeting.data(), &hello, sizeof hello);
  std::memcpy(greeting.data() + sizeof hello, filter.data(), filter.size() * sizeof(sock_filter));
  const bool greeted = started && send_packet(zygote.control_fd(), greeting.data(), greeting.size(), -1);
  // A child that could not become a zygote has said why, and may be gone before the greeting was sent: listen first.
  if (!greeted) {
    GLOVEBOX_TRY_VOID(zygote.finish_boot());
    return Failure{ErrorCode::kSandboxUnavailable, "the zygote ended before it was greeted"};
  }
  return zygote;
}

ZygoteProcess& ZygoteProcess::operator=(ZygoteProcess&& other) noexcept {
  if (this != &other) {
    kill_and_reap();
    control_ = std::move(other.control_);
    pidfd_ = std::move(other.pidfd_);
    pid_ = other.pid_;
    missing_ = other.missing_;
    huge_page_bytes_ = other.huge_page_bytes_;
  }
  return *this;
}

ZygoteProcess::~ZygoteProcess() {
  kill_and_reap();
}

// One that waits for a page from a busy disk would go on as well if it could.
bool ZygoteProcess::is_running() const {
  const char state = process_state(pid_);
  return state == 'R' || state == 'D';
}

int ZygoteProcess::reap() {
  int status = 0;
  while (::waitpid(pid_, &status, __WALL) < 0 && errno == EINTR) {
  }
  control_.reset();
  pidfd_.reset();
  return status;
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
