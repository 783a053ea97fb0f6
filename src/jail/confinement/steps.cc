#include "jail/confinement/steps.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <initializer_list>

#include "jail/confinement/privileges.h"
#include "jail/zygote_protocol.h"

namespace glovebox::jail {
namespace {

bool limit(__rlimit_resource resource, rlim_t most) {
  const rlimit both{most, most};
  return ::setrlimit(resource, &both) == 0;
}

bool is_hung_up(int fd) {
  pollfd peer{fd, 0, 0};
  return ::poll(&peer, 1, 0) < 0 || (peer.revents & (POLLHUP | POLLERR | POLLNVAL)) != 0;
}

bool has_namespaces(const Subject& subject) {
  return !(subject.missing_layers & kWithoutNamespaces);
}

bool has_user_namespace(const Subject& subject) {
  return has_namespaces(subject) && !(subject.missing_layers & kWithoutUserNamespace);
}

}  // namespace

const Step* apply_steps(MadeIn where, Subject& subject) {
  for (const Step& step : subject.confinement.steps) {
    subject.failed_part = nullptr;
    if (step.where == where && !step.apply(subject)) return &step;
  }
  return nullptr;
}

std::size_t describe_failure(const Step& step, const Subject& subject, std::span<char> text) {
  const char* const reason = ::strerrordesc_np(errno);
  const char* const part = subject.failed_part ? subject.failed_part : "";
  std::size_t size = 0;
  for (const char* word : {step.name, ": ", part, *part ? ": " : "", reason ? reason : "unknown error"}) {
    for (; *word && size < text.size(); ++word) text[size++] = *word;
  }
  return size;
}

namespace steps {

bool become_unprivileged(Subject& subject) {
  if (!subject.change_ids) return true;
  const bool by_root = has_namespaces(subject) && !has_user_namespace(subject);
  return by_root ? become_user_who_mounts(subject.go, subject.failed_part)
                 : become_user(has_namespaces(subject) ? 0 : kGuestUid, subject.go, subject.failed_part);
}

// Ctrl-C is for the gateway only.
bool leave_session(Subject& subject) {
  ::setsid();
  ::umask(0);
  for (int number = 1; number < NSIG; ++number) ::signal(number, SIG_DFL);  // before any can arrive
  sigset_t none;
  sigemptyset(&none);
  return ::sigprocmask(SIG_SETMASK, &none, nullptr) == 0 && (!subject.folder || ::chdir(subject.folder) == 0);
}

bool place_descriptors(Subject& subject) {
  const int end = static_cast<int>(subject.descriptors.size());
  // First away from the target numbers, then into place.
  for (int& fd : subject.descriptors) {
    if (fd == kNone) continue;
    const int away = ::fcntl(fd == kNowhere ? ::open("/dev/null", O_RDWR | O_CLOEXEC) : fd, F_DUPFD_CLOEXEC, end);
    if (away < 0) return false;
    fd = away;
  }
  for (int number = 0; number < end; ++number) {
    int& fd = subject.descriptors[static_cast<std::size_t>(number)];
    const int flags = subject.closed_by_exec & (1u << number) ? O_CLOEXEC : 0;
    if (fd == kNone ? ::close(number) != 0 && errno != EBADF : ::dup3(fd, number, flags) < 0) return false;
    if (fd != kNone) fd = number;
  }
  return ::syscall(SYS_close_range, static_cast<unsigned>(end), ~0u, 0u) == 0;
}

// A second layer behind the system-call filter.
bool leave_keys_and_names(Subject& subject) {
  return !has_namespaces(subject) || jail::leave_keys_and_names(has_user_namespace(subject), subject.failed_part);
}

bool enter_root(Subject& subject) {
  return !has_namespaces(subject) || enter_own_root(subject.confinement.root, subject.content, subject.failed_part);
}

// By its path inside the new root.
bool open_program(Subject& subject) {
  const int program = ::open(subject.arguments[0], O_RDONLY | O_CLOEXEC);
  return program >= 0 && ::dup3(program, subject.program, O_CLOEXEC) >= 0 && ::close(program) == 0;
}

bool limit_resources(Subject& subject) {
  for (const ResourceLimit& row : subject.confinement.limits) {
    if (!limit(row.resource, row.given ? subject.*row.given : row.most)) return false;
  }
  return true;
}

// Not dumpable: no core file, and no process with the same uid may attach. Exec resets that.
bool refuse_new_privileges(Subject&) {
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && ::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0;
}

bool drop_capabilities(Subject&) {
  return drop_all_capabilities();
}

// The cycle counter would be the high-resolution timer that the guest's clock denies it.
bool trap_timestamp_counter(Subject& subject) {
  return (subject.missing_layers & kWithoutTimestampTrap) || ::prctl(PR_SET_TSC, PR_TSC_SIGSEGV, 0, 0, 0) == 0;
}

// A change of credentials clears the signal. The parent must still be there once the signal is set.
bool die_with_parent(Subject& subject) {
  if (::prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) return false;
  if (subject.parent != 0) return ::getppid() == subject.parent;
  return (!has_namespaces(subject) || ::getpid() == 1) &&
         !is_hung_up(subject.descriptors[static_cast<std::size_t>(subject.peer)]);
}

// Landlock needs one descriptor for a moment, which can only be number 0: the seal fails if anything is still there.
bool keep_only_the_socket(Subject& subject) {
  int& socket = subject.descriptors[kGuestSocketFd];
  if (socket != kGuestSocketFd && ::dup2(socket, kGuestSocketFd) < 0) return false;
  socket = kGuestSocketFd;
  const bool below = ::syscall(SYS_close_range, 0u, static_cast<unsigned>(kGuestSocketFd - 1), 0u) == 0;
  const bool above = ::syscall(SYS_close_range, static_cast<unsigned>(kGuestSocketFd + 1), ~0u, 0u) == 0;
  return below && above && limit(RLIMIT_NOFILE, 1);
}

// In each guest and not in the zygote: processes of one domain may send signals to each other. What it opens is closed
// by exec.
bool restrict_with_landlock(Subject& subject) {
  if (subject.missing_layers & kWithoutLandlock) return true;
  if (subject.confinement.landlock == Readable::kNothing) return jail::restrict_with_landlock();
  const ReadableTree trees[] = {{::open(subject.readable[0], O_PATH | O_CLOEXEC)},
                                {::open(subject.readable[1], O_PATH | O_CLOEXEC)},
                                {subject.program, true}};
  return jail::restrict_with_landlock(trees);
}

// No new process and no new descriptor, whatever calls a filter may let through: no file, no socket of any family, no
// io_uring. Not in the zygote, which makes both; Landlock's was the last descriptor.
bool make_nothing_new(Subject&) {
  return limit(RLIMIT_NPROC, 0) && limit(RLIMIT_NOFILE, 0);
}

bool reseed(Subject& subject) {
  unsigned char entropy[32];
  if (::syscall(SYS_getrandom, entropy, sizeof entropy, 0) != sizeof entropy) return false;
  subject.reseed(entropy);
  return true;
}

bool filter_system_calls(Subject& subject) {
  const sock_fprog program{static_cast<unsigned short>(subject.filter.size()),
                           const_cast<sock_filter*>(subject.filter.data())};
  return ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0;
}

bool execute_program(Subject& subject) {
  ::syscall(SYS_execveat, subject.program, "", subject.arguments, subject.environment, AT_EMPTY_PATH);
  return false;
}

}  // namespace steps
}  // namespace glovebox::jail
