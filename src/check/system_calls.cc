#include "check/system_calls.h"

#include <fcntl.h>
#include <linux/prctl.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/mman.h>

namespace glovebox::check {
namespace {

using jail::AllowedCall;
using jail::ArgumentRule;

constexpr std::uint64_t kAllBits = ~std::uint64_t{0};
constexpr std::uint64_t kNewNamespaces =
    CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNS | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP;

AllowedCall freely(const char* name, int number, const char* reason) {
  return {name, number, {}, "-", reason};
}

std::vector<AllowedCall> make_table() {
  const std::vector<ArgumentRule> not_executable = {{2, PROT_EXEC, 0}};
  return {
      {"execveat", SCMP_SYS(execveat), {{0, kAllBits, kProgramFd}}, "fd = 1000", "its own start, once"},
      freely("read", SCMP_SYS(read), "questions; files of its read-only root"),
      freely("pread64", SCMP_SYS(pread64), "files of its read-only root"),
      freely("write", SCMP_SYS(write), "answers"),
      {"openat",
       SCMP_SYS(openat),
       {{2, O_ACCMODE | O_CREAT | O_TRUNC | (O_TMPFILE & ~O_DIRECTORY), 0}},
       "for reading",
       "declarations of the language"},
      freely("close", SCMP_SYS(close), "the same"),
      freely("fstat", SCMP_SYS(fstat), "the same"),
      freely("newfstatat", SCMP_SYS(newfstatat), "the same"),
      freely("statx", SCMP_SYS(statx), "the same"),
      freely("lseek", SCMP_SYS(lseek), "the same"),
      freely("getdents64", SCMP_SYS(getdents64), "the same"),
      freely("readlinkat", SCMP_SYS(readlinkat), "the same"),
      freely("getcwd", SCMP_SYS(getcwd), "the same"),
      freely("fcntl", SCMP_SYS(fcntl), "Go asks whether a descriptor blocks"),
      freely("epoll_create1", SCMP_SYS(epoll_create1), "Go waits for its input"),
      freely("epoll_ctl", SCMP_SYS(epoll_ctl), "the same"),
      freely("epoll_pwait", SCMP_SYS(epoll_pwait), "the same"),
      freely("eventfd2", SCMP_SYS(eventfd2), "the same"),
      freely("pipe2", SCMP_SYS(pipe2), "the same"),
      {"mmap",
       SCMP_SYS(mmap),
       {{2, PROT_EXEC, 0}, {3, MAP_TYPE | MAP_ANONYMOUS, MAP_PRIVATE | MAP_ANONYMOUS}},
       "private, anonymous, no PROT_EXEC",
       "the heap grows"},
      freely("munmap", SCMP_SYS(munmap), "the heap shrinks"),
      {"mprotect", SCMP_SYS(mprotect), not_executable, "no PROT_EXEC", "guard pages"},
      freely("madvise", SCMP_SYS(madvise), "the heap returns pages"),
      freely("mincore", SCMP_SYS(mincore), "Go asks for the size of a page"),
      freely("brk", SCMP_SYS(brk), "start of a static program"),
      {"clone",
       SCMP_SYS(clone),
       {{0, CLONE_THREAD | CLONE_VM | kNewNamespaces, CLONE_THREAD | CLONE_VM}},
       "a thread",
       "Go's threads"},
      freely("futex", SCMP_SYS(futex), "Go's locks"),
      freely("nanosleep", SCMP_SYS(nanosleep), "Go's scheduler"),
      freely("clock_nanosleep", SCMP_SYS(clock_nanosleep), "the same"),
      freely("clock_gettime", SCMP_SYS(clock_gettime), "the same, where the kernel has no quicker way"),
      freely("sched_yield", SCMP_SYS(sched_yield), "the same"),
      freely("sched_getaffinity", SCMP_SYS(sched_getaffinity), "the same"),
      freely("rt_sigaction", SCMP_SYS(rt_sigaction), "Go interrupts its own threads"),
      freely("rt_sigprocmask", SCMP_SYS(rt_sigprocmask), "the same"),
      freely("rt_sigreturn", SCMP_SYS(rt_sigreturn), "the same"),
      freely("sigaltstack", SCMP_SYS(sigaltstack), "the same"),
      freely("tgkill", SCMP_SYS(tgkill), "the same; there is no other process in its namespace"),
      freely("getpid", SCMP_SYS(getpid), "the same"),
      freely("gettid", SCMP_SYS(gettid), "the same"),
      freely("restart_syscall", SCMP_SYS(restart_syscall), "a wait that was interrupted"),
      freely("arch_prctl", SCMP_SYS(arch_prctl), "storage of a thread"),
      freely("set_tid_address", SCMP_SYS(set_tid_address), "start of a static program"),
      freely("getrandom", SCMP_SYS(getrandom), "seeds of hash tables"),
      freely("uname", SCMP_SYS(uname), "Go asks for the kernel's version"),
      {"prctl", SCMP_SYS(prctl), {{0, kAllBits, PR_SET_VMA}}, "PR_SET_VMA", "names of memory"},
      {"prlimit64", SCMP_SYS(prlimit64), {{0, kAllBits, 0}}, "its own", "Go reads its limit of descriptors"},
      freely("exit", SCMP_SYS(exit), "a thread ends"),
      freely("exit_group", SCMP_SYS(exit_group), "it ends"),
  };
}

}  // namespace

std::span<const AllowedCall> checker_calls() {
  static const std::vector<AllowedCall> table = make_table();
  return table;
}

}  // namespace glovebox::check
