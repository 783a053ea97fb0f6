#include "check/checker_confinement.h"

#include <fcntl.h>
#include <linux/prctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "jail/confinement/namespaces.h"
#include "jail/confinement/steps.h"

namespace glovebox::check {
namespace {

using jail::AllowedCall;
using jail::ArgumentRule;
using jail::kAllBits;
using jail::ResourceLimit;
using jail::Step;
using jail::Subject;
namespace steps = jail::steps;

constexpr ResourceLimit kLimits[] = {{RLIMIT_CORE},
                                     {RLIMIT_FSIZE},
                                     {RLIMIT_MEMLOCK},
                                     {RLIMIT_MSGQUEUE},
                                     {RLIMIT_LOCKS},
                                     {RLIMIT_NICE},
                                     {RLIMIT_RTPRIO},
                                     {RLIMIT_DATA, 0, &Subject::memory_bytes},
                                     {RLIMIT_CPU, 0, &Subject::cpu_seconds},
                                     {RLIMIT_NOFILE, kMostDescriptors}};

constexpr AllowedCall kCalls[] = {
    {"execveat", SYS_execveat, "fd = 1000", "its own start, once", {ArgumentRule{0, kAllBits, kProgramFd}}},
    {"read", SYS_read, "-", "questions; files of its read-only root"},
    {"pread64", SYS_pread64, "-", "files of its read-only root"},
    {"write", SYS_write, "-", "answers"},
    {"openat",
     SYS_openat,
     "for reading",
     "declarations of the language",
     {ArgumentRule{2, O_ACCMODE | O_CREAT | O_TRUNC | (O_TMPFILE & ~O_DIRECTORY), 0}}},
    {"close", SYS_close, "-", "the same"},
    {"fstat", SYS_fstat, "-", "the same"},
    {"newfstatat", SYS_newfstatat, "-", "the same"},
    {"statx", SYS_statx, "-", "the same"},
    {"lseek", SYS_lseek, "-", "the same"},
    {"getdents64", SYS_getdents64, "-", "the same"},
    {"readlinkat", SYS_readlinkat, "-", "the same"},
    {"getcwd", SYS_getcwd, "-", "the same"},
    {"fcntl", SYS_fcntl, "-", "Go asks whether a descriptor blocks"},
    {"epoll_create1", SYS_epoll_create1, "-", "Go waits for its input"},
    {"epoll_ctl", SYS_epoll_ctl, "-", "the same"},
    {"epoll_pwait", SYS_epoll_pwait, "-", "the same"},
    {"eventfd2", SYS_eventfd2, "-", "the same"},
    {"pipe2", SYS_pipe2, "-", "the same"},
    {"mmap",
     SYS_mmap,
     "private, anonymous, no PROT_EXEC",
     "the heap grows",
     {ArgumentRule{2, PROT_EXEC, 0}, ArgumentRule{3, MAP_TYPE | MAP_ANONYMOUS, MAP_PRIVATE | MAP_ANONYMOUS}}},
    {"munmap", SYS_munmap, "-", "the heap shrinks"},
    {"mprotect", SYS_mprotect, "no PROT_EXEC", "guard pages", {ArgumentRule{2, PROT_EXEC, 0}}},
    {"madvise", SYS_madvise, "-", "the heap returns pages"},
    {"mincore", SYS_mincore, "-", "Go asks for the size of a page"},
    {"brk", SYS_brk, "-", "start of a static program"},
    {"clone",
     SYS_clone,
     "a thread",
     "Go's threads",
     {ArgumentRule{0, CLONE_THREAD | CLONE_VM | jail::kAllNamespaces, CLONE_THREAD | CLONE_VM}}},
    {"futex", SYS_futex, "-", "Go's locks"},
    {"nanosleep", SYS_nanosleep, "-", "Go's scheduler"},
    {"clock_nanosleep", SYS_clock_nanosleep, "-", "the same"},
    {"clock_gettime", SYS_clock_gettime, "-", "the same, where the kernel has no quicker way"},
    {"sched_yield", SYS_sched_yield, "-", "the same"},
    {"sched_getaffinity", SYS_sched_getaffinity, "-", "the same"},
    {"rt_sigaction", SYS_rt_sigaction, "-", "Go interrupts its own threads"},
    {"rt_sigprocmask", SYS_rt_sigprocmask, "-", "the same"},
    {"rt_sigreturn", SYS_rt_sigreturn, "-", "the same"},
    {"sigaltstack", SYS_sigaltstack, "-", "the same"},
    {"tgkill", SYS_tgkill, "-", "the same; there is no other process in its namespace"},
    {"getpid", SYS_getpid, "-", "the same"},
    {"gettid", SYS_gettid, "-", "the same"},
    {"restart_syscall", SYS_restart_syscall, "-", "a wait that was interrupted"},
    {"arch_prctl", SYS_arch_prctl, "-", "storage of a thread"},
    {"set_tid_address", SYS_set_tid_address, "-", "start of a static program"},
    {"getrandom", SYS_getrandom, "-", "seeds of hash tables"},
    {"uname", SYS_uname, "-", "Go asks for the kernel's version"},
    {"prctl", SYS_prctl, "PR_SET_VMA", "names of memory", {ArgumentRule{0, kAllBits, PR_SET_VMA}}},
    {"prlimit64", SYS_prlimit64, "its own", "Go reads its limit of descriptors", {ArgumentRule{0, kAllBits, 0}}},
    {"exit", SYS_exit, "-", "a thread ends"},
    {"exit_group", SYS_exit_group, "-", "it ends"},
};

using enum jail::MadeIn;
constexpr Step kSteps[] = {
    {"namespaces", kClone, nullptr},
    {"user", kStart, steps::become_unprivileged},
    {"session", kStart, steps::leave_session},
    {"descriptors", kStart, steps::place_descriptors},
    {"keys-and-names", kStart, steps::leave_keys_and_names},
    {"root", kStart, steps::enter_root},
    {"open the program", kStart, steps::open_program},
    {"rlimits", kStart, steps::limit_resources},
    {"no-new-privileges", kStart, steps::refuse_new_privileges},
    {"capabilities", kStart, steps::drop_capabilities},
    {"die-with-gateway", kStart, steps::die_with_parent},
    {"landlock", kStart, steps::restrict_with_landlock},
    {"seccomp", kStart, steps::filter_system_calls},
    {"execute the program", kStart, steps::execute_program},
};

constexpr jail::Confinement kCheckerConfinement{"type checker",
                                                jail::kAllNamespaces,
                                                {"size=4m,nr_inodes=64,mode=0755", true, "/agent"},
                                                jail::Readable::kOwnFiles,
                                                kLimits,
                                                {kCalls, jail::Otherwise::kRefuse},
                                                kSteps};

}  // namespace

const jail::Confinement& checker_confinement() {
  return kCheckerConfinement;
}

}  // namespace glovebox::check
