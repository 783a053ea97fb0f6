#include "types/sealed/generator_confinement.h"

#include <sys/mman.h>
#include <sys/syscall.h>

#include "jail/confinement/namespaces.h"
#include "jail/confinement/steps.h"
#include "jail/zygote_protocol.h"
#include "types/sealed/generator_limits.h"

namespace glovebox::types {
namespace {

using jail::AllowedCall;
using jail::ArgumentRule;
using jail::kAllBits;
using jail::ResourceLimit;
namespace steps = jail::steps;

// The step `only-the-socket` puts it there.
static_assert(kGeneratorSocketFd == jail::kGuestSocketFd);

constexpr ResourceLimit kGeneratorLimits[] = {{RLIMIT_CORE},
                                              {RLIMIT_FSIZE},
                                              {RLIMIT_MEMLOCK},
                                              {RLIMIT_MSGQUEUE},
                                              {RLIMIT_NICE},
                                              {RLIMIT_RTPRIO},
                                              {RLIMIT_SIGPENDING},
                                              {RLIMIT_LOCKS},
                                              {RLIMIT_DATA, kGeneratorMemory},
                                              {RLIMIT_CPU, kGeneratorCpuSeconds}};

constexpr ArgumentRule kSocket{0, kAllBits, kGeneratorSocketFd};
constexpr std::uint64_t kMapKindMask = MAP_TYPE | MAP_ANONYMOUS | MAP_HUGETLB | MAP_LOCKED | MAP_GROWSDOWN | MAP_SYNC;

constexpr AllowedCall kGeneratorCalls[] = {
    {"read", SYS_read, "fd = 3", "questions", {kSocket}},
    {"write", SYS_write, "fd = 3", "answers", {kSocket}},
    {"mmap",
     SYS_mmap,
     "private, anonymous, no PROT_EXEC",
     "large blocks of the allocator",
     {ArgumentRule{2, PROT_EXEC, 0}, ArgumentRule{3, kMapKindMask, MAP_PRIVATE | MAP_ANONYMOUS}}},
    {"munmap", SYS_munmap, "-", "the same"},
    {"mremap", SYS_mremap, "-", "the same, when they grow"},
    {"brk", SYS_brk, "-", "the allocator's small blocks"},
    {"exit_group", SYS_exit_group, "-", "it ends"},
};

using enum jail::MadeIn;
constexpr jail::Step kGeneratorSteps[] = {
    {"namespaces", kClone, nullptr},
    {"user", kStart, steps::become_unprivileged},
    {"session", kStart, steps::leave_session},
    {"descriptors", kStart, steps::place_descriptors},
    {"starting the program", kStart, steps::execute_program},
    {"keys-and-names", kProgram, steps::leave_keys_and_names},
    {"empty-root", kProgram, steps::enter_root},
    {"rlimits", kProgram, steps::limit_resources},
    {"no-new-privileges", kProgram, steps::refuse_new_privileges},
    {"capabilities", kProgram, steps::drop_capabilities},
    {"timestamp-counter", kProgram, steps::trap_timestamp_counter},
    {"die-with-gateway", kProgram, steps::die_with_parent},
    {"only-the-socket", kProgram, steps::keep_only_the_socket},
    {"landlock", kProgram, steps::restrict_with_landlock},
    {"nothing-new", kProgram, steps::make_nothing_new},
    {"seccomp", kProgram, steps::filter_system_calls},
};

constexpr jail::Confinement kGeneratorConfinement{"type generator", jail::kAllNamespaces,
                                                  jail::kEmptyRoot, jail::Readable::kNothing,
                                                  kGeneratorLimits, {kGeneratorCalls, jail::Otherwise::kKill},
                                                  kGeneratorSteps};

}  // namespace

const jail::Confinement& generator_confinement() {
  return kGeneratorConfinement;
}

}  // namespace glovebox::types
