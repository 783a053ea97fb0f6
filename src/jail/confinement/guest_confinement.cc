#include "jail/confinement/guest_confinement.h"

#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "jail/confinement/namespaces.h"
#include "jail/confinement/steps.h"
#include "jail/zygote_protocol.h"

namespace glovebox::jail {
namespace {

// Resources that the zygote does not need, either. RLIMIT_DATA, the memory limit, is set by the gateway from outside
// when it knows the run.
constexpr ResourceLimit kLimits[] = {{RLIMIT_CORE}, {RLIMIT_FSIZE},  {RLIMIT_MEMLOCK},    {RLIMIT_MSGQUEUE},
                                     {RLIMIT_NICE}, {RLIMIT_RTPRIO}, {RLIMIT_SIGPENDING}, {RLIMIT_LOCKS}};

// Private anonymous memory and nothing else: no file, no sharing, no huge or locked pages.
constexpr std::uint64_t kMapKindMask = MAP_TYPE | MAP_ANONYMOUS | MAP_HUGETLB | MAP_LOCKED | MAP_GROWSDOWN | MAP_SYNC;
constexpr std::uint64_t kMapKind = MAP_PRIVATE | MAP_ANONYMOUS;
constexpr ArgumentRule kOwnSocket{0, kAllBits, kGuestSocketFd};
constexpr ArgumentRule kNotExecutable{2, PROT_EXEC, 0};
constexpr ArgumentRule advice(std::uint64_t value) {
  return {2, kAllBits, value};
}

constexpr AllowedCall kCalls[] = {
    {"read", SYS_read, "fd = 3", "frames from the gateway", {kOwnSocket}},
    {"write", SYS_write, "fd = 3", "frames to the gateway", {kOwnSocket}},
    {"mmap",
     SYS_mmap,
     "private, anonymous, no PROT_EXEC",
     "the engine's heap grows",
     {kNotExecutable, ArgumentRule{3, kMapKindMask, kMapKind}}},
    {"munmap", SYS_munmap, "-", "the engine's heap shrinks"},
    {"mremap", SYS_mremap, "-", "the allocator grows blocks; reserved executable pages move into place"},
    {"mprotect", SYS_mprotect, "no PROT_EXEC", "the heap commits reserved pages", {kNotExecutable}},
    {"brk", SYS_brk, "-", "the allocator's main arena"},
    {"madvise", SYS_madvise, "advice = MADV_DONTNEED", "the heap returns pages", {advice(MADV_DONTNEED)}},
    {"madvise", SYS_madvise, "advice = MADV_FREE", "the heap returns pages lazily", {advice(MADV_FREE)}},
    {"madvise", SYS_madvise, "advice = MADV_HUGEPAGE", "large blocks of the heap", {advice(MADV_HUGEPAGE)}},
    {"madvise", SYS_madvise, "advice = MADV_NOHUGEPAGE", "large blocks of the heap", {advice(MADV_NOHUGEPAGE)}},
    {"futex",
     SYS_futex,
     "op = FUTEX_WAKE_PRIVATE",
     "locks of the C library; one thread never waits",
     {ArgumentRule{1, kAllBits, FUTEX_WAKE_PRIVATE}}},
    {"getpid", SYS_getpid, "-", "the engine asks who it is; the answer is local to the namespace"},
    {"gettid", SYS_gettid, "-", "the engine asks which thread it is on"},
    {"exit_group", SYS_exit_group, "-", "the guest ends"},
};

using enum MadeIn;
constexpr Step kSteps[] = {
    {"namespaces", kClone, nullptr},
    {"user", kStart, steps::become_unprivileged},
    {"session", kStart, steps::leave_session},
    {"descriptors", kStart, steps::place_descriptors},
    {"die-with-gateway", kStart, steps::die_with_parent},
    {"starting the engine", kStart, steps::execute_program},
    {"keys-and-names", kZygote, steps::leave_keys_and_names},
    {"empty-root", kZygote, steps::enter_root},
    {"rlimits", kZygote, steps::limit_resources},
    {"no-new-privileges", kZygote, steps::refuse_new_privileges},
    {"capabilities", kZygote, steps::drop_capabilities},
    {"timestamp-counter", kZygote, steps::trap_timestamp_counter},
    {"die-with-zygote", kGuest, steps::die_with_parent},
    {"only-the-socket", kGuest, steps::keep_only_the_socket},
    {"landlock", kGuest, steps::restrict_with_landlock},
    {"nothing-new", kGuest, steps::make_nothing_new},
    {"reseed", kGuest, steps::reseed},
    {"seccomp", kGuest, steps::filter_system_calls},
};

constexpr Confinement kGuestConfinement{
    "guest", kAllNamespaces, kEmptyRoot, Readable::kNothing, kLimits, {kCalls, Otherwise::kKill}, kSteps};

}  // namespace

const Confinement& guest_confinement() {
  return kGuestConfinement;
}

void seal_or_exit(Subject& subject) {
  if (const Step* failed = apply_steps(kGuest, subject)) ::_exit(kSealFailedExit + static_cast<int>(failed - kSteps));
}

const char* seal_step_of_exit(int exit_code) {
  const auto step = static_cast<std::size_t>(exit_code) - kSealFailedExit;
  return step < std::size(kSteps) && kSteps[step].where == kGuest ? kSteps[step].name : nullptr;
}

}  // namespace glovebox::jail
