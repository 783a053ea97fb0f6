#include "base/keeper.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <climits>

#include "base/characters/ascii.h"

namespace glovebox::base {
namespace {

// The command is born with CLONE_VM on a stack of its own, which the sanitizer knows nothing of.
#define GLOVEBOX_BARE __attribute__((no_sanitize("address")))

struct Birth {
  const KeeperPlan& plan;
  pid_t keeper;
  int error_number = 0;
  KeeperReport::Step step = KeeperReport::kPrepare;
};

// By the kernel's own call and structure: libc refuses to touch 32 and 33, which it uses for its threads, and our
// parent process may have ignored them.
GLOVEBOX_BARE void reset_signal_handlers() {
  constexpr std::size_t kMaskBytes = 8;
  struct {
    void (*handler)(int) = SIG_DFL;
    unsigned long flags = 0;
    void (*restorer)() = nullptr;
    unsigned char mask[kMaskBytes] = {};
  } standard;
  for (int number = 1; number < NSIG; ++number) {
    ::syscall(SYS_rt_sigaction, number, &standard, nullptr, kMaskBytes);
  }
}

void report(const KeeperPlan& plan, KeeperReport::Kind kind, int first, int second) {
  const KeeperReport message{kind, first, second};
  // The other end may be closed already.
  (void)!::send(plan.control, &message, sizeof message, MSG_NOSIGNAL);
}

// Above the standard streams, whatever number it had: our own may be closed, and a pipe would take their place.
GLOVEBOX_BARE bool move_up(int& fd) {
  if (fd < 0) return true;
  fd = ::fcntl(fd, F_DUPFD_CLOEXEC, 10);
  return fd >= 0;
}

GLOVEBOX_BARE int fail(Birth& birth, KeeperReport::Step step) {
  birth.error_number = errno;
  birth.step = step;
  return 127;
}

// In the command's process, until exec. The keeper waits meanwhile, and shares its memory.
GLOVEBOX_BARE int become_command(void* argument) {
  Birth& birth = *static_cast<Birth*>(argument);
  const KeeperPlan& plan = birth.plan;
  using Report = KeeperReport;
  ::setsid();
  // Without new privileges a command cannot turn into what we may not kill, and keeps its parent-death signal.
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return fail(birth, Report::kPrepare);
  if (::prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) return fail(birth, Report::kPrepare);
  if (::getppid() != birth.keeper) return 127;  // it died before it could be our parent in that sense
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  if (plan.folder >= 0 && ::fchdir(plan.folder) != 0) return fail(birth, Report::kFolder);
  if (::dup2(plan.in, STDIN_FILENO) < 0 || ::dup2(plan.out, STDOUT_FILENO) < 0 || ::dup2(plan.err, STDERR_FILENO) < 0 ||
      ::syscall(SYS_close_range, 3U, UINT_MAX, 0U) != 0) {
    return fail(birth, Report::kPrepare);
  }
  reset_signal_handlers();
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::execve(plan.program, plan.arguments, plan.environment);
  return fail(birth, Report::kExecute);
}

pid_t give_birth(Birth& birth) {
  alignas(16) static char stack[32 * 1024];
  return ::clone(become_command, stack + sizeof stack, CLONE_VM | CLONE_VFORK | SIGCHLD, &birth);
}

// Kills our children but `command`, which lies dead. Those they leave behind are our children then, so this is called
// until it finds none. True if there was one.
bool kill_other_children(pid_t command) {
  const int list = ::open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
  if (list < 0) return false;
  char text[4096];
  const ssize_t size = ::read(list, text, sizeof text);
  ::close(list);
  bool any = false;
  pid_t pid = 0;
  for (ssize_t i = 0; i < size; ++i) {
    if (is_digit(text[i])) {
      pid = pid * 10 + (text[i] - '0');
      continue;
    }
    // A number that the buffer cuts off has no blank behind it, and waits for the next round.
    if (pid > 0 && pid != command) {
      any = true;
      ::kill(pid, SIGKILL);
      ::waitpid(pid, nullptr, WNOHANG | __WALL);
    }
    pid = 0;
  }
  return any;
}

// Without reaping: as long as the command is a zombie, its pid is not reused.
siginfo_t wait_for(pid_t command) {
  siginfo_t end{};
  while (::waitid(P_PID, static_cast<id_t>(command), &end, WEXITED | WNOWAIT) < 0 && errno == EINTR) {
  }
  return end;
}

siginfo_t end_everything(pid_t command) {
  ::kill(-command, SIGKILL);
  const siginfo_t end = wait_for(command);
  while (kill_other_children(command)) {
    const timespec moment{0, 500'000};
    ::nanosleep(&moment, nullptr);
  }
  return end;
}

// The command has ended, we are asked to end it, or the process that could ask is gone.
void wait_for_a_reason_to_end(const KeeperPlan& plan, int command) {
  pollfd events[] = {{command, POLLIN, 0}, {plan.control, POLLIN, 0}, {plan.parent, POLLIN, 0}};
  while (::poll(events, 3, -1) < 0 && errno == EINTR) {
  }
}

// Everything but what the plan names. A pipe of another command that stays open here would never end.
void close_the_rest(const KeeperPlan& plan) {
  const int kept[] = {plan.control, plan.parent, plan.in, plan.out, plan.err, plan.folder};
  for (unsigned from = 0;;) {
    unsigned next = UINT_MAX;
    for (const int fd : kept) {
      if (fd >= 0 && static_cast<unsigned>(fd) >= from) next = std::min(next, static_cast<unsigned>(fd));
    }
    if (next > from) ::syscall(SYS_close_range, from, next == UINT_MAX ? next : next - 1, 0U);
    if (next == UINT_MAX) return;
    from = next + 1;
  }
}

}  // namespace

void keep_command(const KeeperPlan& given) {
  sigset_t all;
  sigfillset(&all);
  ::sigprocmask(SIG_SETMASK, &all, nullptr);  // only SIGKILL and SIGSTOP reach a keeper
  ::signal(SIGCHLD, SIG_DFL);                 // where it is ignored, children vanish without reporting how they ended
  ::setsid();
  ::prctl(PR_SET_NAME, "glovebox-keeper");
  // This process is a copy of our memory: others of the same user must not read it.
  ::prctl(PR_SET_DUMPABLE, 0);
  KeeperPlan plan = given;
  const bool prepared = ::prctl(PR_SET_CHILD_SUBREAPER, 1) == 0 && move_up(plan.control) && move_up(plan.parent) &&
                        move_up(plan.in) && move_up(plan.out) && move_up(plan.err) && move_up(plan.folder);
  if (!prepared) {
    report(plan, KeeperReport::kFailed, errno, KeeperReport::kPrepare);
    ::_exit(1);
  }
  close_the_rest(plan);

  Birth birth{plan, ::getpid()};
  const pid_t command = give_birth(birth);
  if (command < 0) birth.error_number = errno;
  if (command < 0 || birth.error_number != 0) {
    report(plan, KeeperReport::kFailed, birth.error_number, birth.step);
    ::_exit(1);
  }
  ::close(plan.in);
  ::close(plan.out);
  ::close(plan.err);
  report(plan, KeeperReport::kStarted, command, 0);
  const int command_pidfd = static_cast<int>(::syscall(SYS_pidfd_open, command, 0));
  if (command_pidfd >= 0) wait_for_a_reason_to_end(plan, command_pidfd);
  const siginfo_t end = end_everything(command);
  const bool exited = end.si_code == CLD_EXITED;
  report(plan, KeeperReport::kEnded, exited ? end.si_status : 0, exited ? 0 : end.si_status);
  // Last, and after the report: until that is read, we may still be killing by the command's pid.
  ::waitpid(command, nullptr, 0);
  ::_exit(0);
}

}  // namespace glovebox::base
