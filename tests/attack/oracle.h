// What must hold whatever a hostile program does. Made before the attack; judges afterwards, through GoogleTest's
// expectations.
#pragma once

#include <chrono>
#include <future>
#include <string>
#include <vector>

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

  // What the guest used of its memory. What was mapped before the run is beyond no limit of the kernel: the gateway
  // looks every few milliseconds whether it is used, and looks late where the machine is busy.
  static bool is_within_memory(const Outcome& outcome, const SandboxConfig& config);
  void judge_memory(const Outcome& outcome, const SandboxConfig& config) const;

  // Memory that the gateway has needed in between, beyond what it had, and may have needed.
  std::size_t peak_growth() const;
  void judge_peak(std::size_t allowed_bytes) const;

  // Nobody and nothing is left, and the next run is healthy.
  void judge_aftermath();

  // By how much the gateway has grown. The allocator and the kernel are given a moment to settle.
  // What a run held is given back when its connections and threads are done with it, which takes a while on a busy
  // machine; a leak is still there after ten seconds.
  std::size_t growth(std::chrono::milliseconds patience = std::chrono::seconds(10)) const;

 private:
  void wait_for_rest(const char* when) const;

  GuestKind guest_;
  Testbed& testbed_;
  std::size_t resident_ = 0;
  std::size_t descriptors_ = 0;
  std::size_t threads_ = 0;
  std::vector<std::string> mounts_;
  int connections_ = 0;
  std::optional<Run> sibling_;
  std::future<Outcome> sibling_outcome_;
};

// The gateway may keep this much more after a run than before it.
inline constexpr std::size_t kAllowedGrowthBytes = std::size_t{2} << 20;

}  // namespace glovebox::attack
