// How long a thread runs before others have their turn on its core.
//
// A thread that is woken takes the core from one with a longer slice; among equals it waits until the other's slice is
// over, which takes milliseconds. Shares of the core do not change. Kernels before Linux 6.12 have one slice for all.
// Nothing depends on it but speed, so failures are ignored.
#pragma once

#include <sched.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#include <cstdint>
#include <optional>

namespace glovebox::base {

// In nanoseconds.
enum class Slice : std::uint64_t {
  kUsual = 0,         // the kernel's own: 0.7 to 2.8 ms
  kShort = 100'000,   // for a thread that others wait for, and that works a little at a time
  kLong = 6'000'000,  // for work that nothing waits for
};

namespace kernel {

// As sched_setattr(2) has it; the C library does not.
struct Scheduling {
  std::uint32_t size = sizeof(Scheduling);
  std::uint32_t policy = 0;
  std::uint64_t flags = 0;
  std::int32_t nice = 0;
  std::uint32_t priority = 0;
  std::uint64_t slice = 0;
  std::uint64_t deadline = 0;
  std::uint64_t period = 0;
};
static_assert(sizeof(Scheduling) == 48);
inline constexpr std::uint64_t kResetOnFork = 1;

// Zero: the calling thread.
inline std::optional<Scheduling> scheduling_of(pid_t thread) {
  Scheduling found;
  if (::syscall(SYS_sched_getattr, thread, &found, sizeof found, 0) != 0) return std::nullopt;
  return found;
}

}  // namespace kernel

// What the thread starts afterwards inherits it.
inline void set_slice(pid_t thread, Slice slice, std::uint64_t flags = 0) {
  auto wanted = kernel::scheduling_of(thread);
  if (!wanted || wanted->policy != SCHED_OTHER) return;  // as the owner wants it
  wanted->slice = static_cast<std::uint64_t>(slice);
  wanted->flags |= flags;
  ::syscall(SYS_sched_setattr, thread, &*wanted, 0);
}

// For the calling thread: it answers soon. What it starts has the usual slice again.
inline void answer_soon() {
  const auto now = kernel::scheduling_of(0);
  // With the flag, what it starts would lose a priority above the usual as well.
  if (now && now->nice >= 0) set_slice(0, Slice::kShort, kernel::kResetOnFork);
}

}  // namespace glovebox::base
