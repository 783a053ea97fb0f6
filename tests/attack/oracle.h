// What must hold whatever a hostile program does. Made before the attack; judges afterwards, through GoogleTest's
// expectations.
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
  // Waits until the gateway is at rest, then notes its memory, descriptors, threads, processes and mounts.
  explicit Oracle(GuestKind guest);
  ~Oracle();

  // A run with a canary in its context stands beside the attack from now on and must not notice it.
  void start_sibling();
  void stop_sibling();

  // One result: nothing secret in it, nothing that commands a terminal, typed, and of no more than it may be.
  void judge_outcome(const Outcome& outcome, const SandboxConfig& config) const;

  // One run within its limits of memory, time and CPU time, by the gateway's clock and the guest's. Use of what was
  // mapped before the run, and time, are what the gateway polls every few milliseconds: it may be beyond by as much as
  // that allows, and by what the machine made the poll late.
  void judge_limits(const Outcome& outcome, const SandboxConfig& config) const;

  // Memory that the gateway has needed in between, beyond what it had, and may have needed.
  std::size_t peak_growth() const;
  void judge_peak(std::size_t allowed_bytes) const;

  // No process and no resource is left, and the next run is healthy.
  void judge_aftermath();

  // By how much the gateway has grown. The allocator and the kernel are given a moment to settle.
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
// time. So where it has grown the same is done again, and the repetition must fit into what was paid for.
// `attack` returns by how much the gateway has grown, and is not repeated when it has failed.
void judge_growth(const std::function<std::size_t()>& attack);

}  // namespace glovebox::attack
