// Checks what must hold whatever a hostile program does. Made before the attack; judges afterwards, through
// GoogleTest's expectations.
#pragma once

#include <chrono>
#include <functional>
#include <future>
#include <string>
#include <vector>

#include "footprint.h"
#include "testbed.h"

namespace glovebox::attack {

class Oracle {
 public:
  // Waits until the gateway is at rest, then records its memory, descriptors, threads, processes and mounts.
  explicit Oracle(GuestKind guest);
  ~Oracle();

  // From now on a run with a canary in its context runs beside the attack and must not notice it.
  void start_sibling();
  void stop_sibling();

  // One result: no secret in it, nothing that commands a terminal, typed, and no larger than allowed.
  void judge_outcome(const Outcome& outcome, const SandboxConfig& config) const;

  // One run within its limits of memory, time and CPU time, by the gateway's clock and the guest's. The gateway polls
  // time, and the use of memory that was mapped before the run, every few milliseconds: a run may exceed its limit by
  // what fits between two polls, and by what the machine delayed the poll.
  void judge_limits(const Outcome& outcome, const SandboxConfig& config) const;

  // The memory that the gateway has needed in between, beyond what it had; and a bound for it.
  std::size_t peak_growth() const;
  void judge_peak(std::size_t allowed_bytes) const;

  // No process or resource is left, and the next run is healthy.
  void judge_aftermath();

  // How much the gateway has grown. The allocator and the kernel get a moment to settle.
  // What a run held is given back when its connections and threads are done with it, which takes a while on a busy
  // machine; a leak is still there after ten seconds.
  std::size_t growth(std::chrono::milliseconds patience = std::chrono::seconds(10)) const;

 private:
  void wait_for_rest(const char* when) const;
  double late_by_the_machine_ms(const Outcome& outcome) const;

  GuestKind guest_;
  Testbed& testbed_;
  std::size_t resident_ = 0;
  std::size_t descriptors_ = 0;
  std::size_t threads_ = 0;
  std::vector<std::string> mounts_;
  int connections_ = 0;
  Waits waits_;
  std::optional<Run> sibling_;
  std::future<Outcome> sibling_outcome_;
};

// The gateway may keep this much more after a run than before it.
inline constexpr std::size_t kAllowedGrowthBytes = std::size_t{2} << 20;

// What the gateway does for the first time costs it once: buffers, arenas, pages of its own code. A leak costs it each
// time. So if it has grown, the attack is repeated, and the repetition must fit into what it already has.
// `attack` returns how much the gateway has grown, and is not repeated if it has failed.
void judge_growth(const std::function<std::size_t()>& attack);

}  // namespace glovebox::attack
