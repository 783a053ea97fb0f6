#include "jail/confinement/confined_process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <utility>

#include "base/sockets/socket_pair.h"
#include "base/system_error.h"
#include "base/try.h"
#include "jail/confinement/namespaces.h"
#include "jail/diagnosis/layer_probes.h"
#include "jail/zygote_protocol.h"

namespace glovebox::jail {
namespace {

constexpr int kReaperPatienceMs = 1000;

// Between clone and exec: system calls only. No allocation and no locale: this is the copy of a process with threads.
[[noreturn]] void become_program(Subject& subject, int go) {
  // A process that is started meanwhile may hold the other end, too, so a hang-up alone would not do.
  (void)::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::read(go, &subject.go, 1) != 1) ::_exit(1);
  if (const Step* failed = apply_steps(MadeIn::kStart, subject)) {
    char text[256];
    const std::size_t head = subject.report_head.copy(text, sizeof text);
    const std::size_t size = head + describe_failure(*failed, subject, std::span(text).subspan(head));
    (void)!::write(subject.descriptors[static_cast<std::size_t>(subject.peer)], text, size);
  }
  ::_exit(1);
}

// When memory runs out, the kernel kills such a process before the gateway or any other. Guests inherit this and cannot
// undo it. If /proc cannot be written, they are like any other process.
void expose_to_memory_killer(pid_t pid) {
  const base::UniqueFd file(::open(("/proc/" + std::to_string(pid) + "/oom_score_adj").c_str(), O_WRONLY | O_CLOEXEC));
  if (file.valid()) (void)!::write(file.get(), "1000", 4);
}

}  // namespace

Result<ConfinedProcess> ConfinedProcess::start(Subject subject) {
  // Not a pipe: a child that was killed meanwhile would end this process by SIGPIPE.
  auto [ours, theirs] = GLOVEBOX_TRY(base::socket_pair(SOCK_STREAM));
  const bool root = subject.change_ids = ::geteuid() == 0;
  const bool namespaces = !(subject.missing_layers & kWithoutNamespaces);
  auto by = NamespacesBy::kUserNamespace;
  int pidfd = -1;
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);  // a handler of ours must not run in the child
  const long pid = clone_into_namespaces(namespaces ? subject.confinement.namespaces : 0, root, &pidfd, by);
  const int error_number = errno;
  // From what the kernel did, not what the caller assumes missing: which user the process becomes depends on it.
  subject.missing_layers &= ~kWithoutUserNamespace;
  if (by == NamespacesBy::kRoot) subject.missing_layers |= kWithoutUserNamespace;
  if (pid == 0) {
    ::close(ours.get());
    become_program(subject, theirs.get());
  }
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (pid < 0 && namespaces) return refused_namespaces(error_number);
  if (pid < 0) return base::system_failure(error_number, "starting a process");
  ConfinedProcess process(static_cast<pid_t>(pid), base::UniqueFd(pidfd), subject.missing_layers);
  theirs.reset();
  expose_to_memory_killer(process.pid());
  const bool maps = namespaces && by == NamespacesBy::kUserNamespace;
  const Go go = maps ? GLOVEBOX_TRY(map_ids(process.pid(), root)) : go_without_maps();
  if (::send(ours.get(), &go, 1, MSG_NOSIGNAL) != 1) {
    return Failure{ErrorCode::kSandboxUnavailable, "a process ended before it was confined"};
  }
  return process;
}

ConfinedProcess& ConfinedProcess::operator=(ConfinedProcess&& other) noexcept {
  if (this != &other) {
    kill_and_reap();
    pid_ = other.pid_;
    pidfd_ = std::move(other.pidfd_);
    reaper_ = std::move(other.reaper_);
    missing_ = other.missing_;
  }
  return *this;
}

ConfinedProcess::~ConfinedProcess() {
  kill_and_reap();
}

int ConfinedProcess::reap() {
  int status = 0;
  if (!pidfd_.valid()) return status;
  if (reaper_.valid()) return ask_reaper();
  while (::waitpid(pid_, &status, __WALL) < 0 && errno == EINTR) {
  }
  pidfd_.reset();
  return status;
}

// A parent that is gone has taken the process with it.
int ConfinedProcess::ask_reaper() {
  pollfd ended{pidfd_.get(), POLLIN, 0};
  pollfd answer{reaper_.get(), POLLIN, 0};
  while (::poll(&ended, 1, -1) < 0 && errno == EINTR) {
  }
  int status = SIGKILL;
  if (::poll(&answer, 1, kReaperPatienceMs) == 1 && ::recv(reaper_.get(), &status, sizeof status, 0) != sizeof status)
    status = SIGKILL;
  pidfd_.reset();
  reaper_.reset();
  return status;
}

void ConfinedProcess::kill_and_reap() {
  if (!pidfd_.valid()) return;
  ::syscall(SYS_pidfd_send_signal, pidfd_.get(), SIGKILL, nullptr, 0);
  if (!reaper_.valid()) reap();
}

}  // namespace glovebox::jail
