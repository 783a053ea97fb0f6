#include "jail/seal.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <iterator>

#include "jail/confinement/privileges.h"
#include "jail/seal_names.h"
#include "jail/zygote_protocol.h"

namespace glovebox::jail {
namespace {

bool is_hung_up(int socket) {
  pollfd peer{socket, 0, 0};
  return ::poll(&peer, 1, 0) < 0 || (peer.revents & (POLLHUP | POLLERR | POLLNVAL)) != 0;
}

// Without a pid namespace nothing else would end the guests of a zygote that was killed. What was the zygote dies with
// the gateway. Whoever is to send the signal must be there still when it is asked for.
bool die_with_zygote(const SealSpec& spec) {
  if (::prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) return false;
  if (spec.zygote != 0) return ::getppid() == spec.zygote;
  return (spec.missing_layers & kWithoutNamespaces) == 0 ? ::getpid() == 1 : !is_hung_up(spec.socket_fd);
}

constexpr rlimit kNone{0, 0};

bool keep_only_the_socket(const SealSpec& spec) {
  if (spec.socket_fd != kGuestSocketFd && ::dup2(spec.socket_fd, kGuestSocketFd) < 0) return false;
  const bool below = ::syscall(SYS_close_range, 0u, static_cast<unsigned>(kGuestSocketFd - 1), 0u) == 0;
  const bool above = ::syscall(SYS_close_range, static_cast<unsigned>(kGuestSocketFd + 1), ~0u, 0u) == 0;
  // Landlock needs one descriptor for a moment, which can only be number 0: the seal fails if anything is still there.
  constexpr rlimit kOneDescriptor{1, 1};
  return below && above && ::setrlimit(RLIMIT_NOFILE, &kOneDescriptor) == 0;
}

// Of what the zygote has no use for either. RLIMIT_DATA, the memory limit, is set by the gateway from outside when it
// knows the run.
bool limit_resources(const SealSpec&) {
  for (const auto resource : {RLIMIT_CORE, RLIMIT_FSIZE, RLIMIT_MEMLOCK, RLIMIT_MSGQUEUE, RLIMIT_NICE, RLIMIT_RTPRIO,
                              RLIMIT_SIGPENDING, RLIMIT_LOCKS}) {
    if (::setrlimit(resource, &kNone) != 0) return false;
  }
  return true;
}

bool refuse_new_privileges(const SealSpec&) {
  // Not dumpable: no core file, and nobody with the same uid may attach.
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && ::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0;
}

bool drop_capabilities(const SealSpec&) {
  return drop_all_capabilities();
}

// The cycle counter would be the high-resolution timer that the guest's clock denies it.
bool trap_timestamp_counter(const SealSpec& spec) {
  if (spec.missing_layers & kWithoutTimestampTrap) return true;
  return ::prctl(PR_SET_TSC, PR_TSC_SIGSEGV, 0, 0, 0) == 0;
}

// In each guest: those of one domain may send signals to each other.
bool deny_filesystem_and_network(const SealSpec& spec) {
  return (spec.missing_layers & kWithoutLandlock) || restrict_with_landlock();
}

// No process, and no descriptor beside those that are open, whatever calls a filter may let through: no file, no socket
// of any family, no io_uring. The zygote makes both; Landlock's was the last descriptor.
bool make_nothing_new(const SealSpec&) {
  return ::setrlimit(RLIMIT_NPROC, &kNone) == 0 && ::setrlimit(RLIMIT_NOFILE, &kNone) == 0;
}

bool reseed(const SealSpec& spec) {
  unsigned char entropy[32];
  if (::syscall(SYS_getrandom, entropy, sizeof entropy, 0) != sizeof entropy) return false;
  spec.reseed(entropy);
  return true;
}

bool filter_system_calls(const SealSpec& spec) {
  const sock_fprog program{static_cast<unsigned short>(spec.filter.size()),
                           const_cast<sock_filter*>(spec.filter.data())};
  return ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0;
}

constexpr SealStep kSteps[] = {
    {kSealStepNames[0], SealedIn::kZygote, limit_resources},
    {kSealStepNames[1], SealedIn::kZygote, refuse_new_privileges},
    {kSealStepNames[2], SealedIn::kZygote, drop_capabilities},
    {kSealStepNames[3], SealedIn::kZygote, trap_timestamp_counter},
    {kSealStepNames[4], SealedIn::kGuest, die_with_zygote},
    {kSealStepNames[5], SealedIn::kGuest, keep_only_the_socket},
    {kSealStepNames[6], SealedIn::kGuest, deny_filesystem_and_network},
    {kSealStepNames[7], SealedIn::kGuest, make_nothing_new},
    {kSealStepNames[8], SealedIn::kGuest, reseed},
    {kSealStepNames[9], SealedIn::kGuest, filter_system_calls},
};
static_assert(std::size(kSteps) == kSealStepNames.size());

// Null, or the step that failed.
const SealStep* apply_steps(SealedIn where, const SealSpec& spec) {
  for (const SealStep& step : kSteps) {
    if (step.where == where && !step.apply(spec)) return &step;
  }
  return nullptr;
}

}  // namespace

std::span<const SealStep> seal_steps() {
  return kSteps;
}

const char* seal_zygote(const SealSpec& spec) {
  const SealStep* failed = apply_steps(SealedIn::kZygote, spec);
  return failed ? failed->name : nullptr;
}

void seal_or_exit(const SealSpec& spec) {
  if (const SealStep* failed = apply_steps(SealedIn::kGuest, spec))
    ::_exit(kSealFailedExit + static_cast<int>(failed - kSteps));
}

}  // namespace glovebox::jail
