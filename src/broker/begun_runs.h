// Where guests are reused: the runs that have just begun, and are likely to keep the cores busy. While there are enough
// of them, the next run waits, and then finds a guest that one of them has used, whose memory is still in the
// processor's caches. Beside them it would not end sooner, and it would need one more guest.
//
// After a moment a run counts no more, whether it has ended, computes, sleeps or waits for a tool. So long runs delay
// others by a moment for each few of them.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <thread>

namespace glovebox::broker {

class BegunRuns {
 public:
  using Clock = std::chrono::steady_clock;
  // Small runs have ended by then.
  static constexpr std::chrono::milliseconds kMoment{1};
  // One computes, while others are sent to their guests or read from them.
  static constexpr std::size_t kPerCore = 3;

  explicit BegunRuns(std::size_t cores = std::thread::hardware_concurrency())
      : most_(kPerCore * std::max<std::size_t>(cores, 1)) {}

  void began(std::uint64_t run_id, Clock::time_point now) { runs_.push_back({run_id, now}); }
  void ended(std::uint64_t run_id) {
    std::erase_if(runs_, [&](const Begun& run) { return run.id == run_id; });
  }
  // How many more may begin.
  std::size_t room(Clock::time_point now) {
    while (!runs_.empty() && now - runs_.front().since >= kMoment) runs_.pop_front();
    return most_ - std::min(most_, runs_.size());
  }
  // Only if there is no room now: when there is, unless one of them ends before.
  Clock::time_point next_room() const { return runs_.front().since + kMoment; }

 private:
  struct Begun {
    std::uint64_t id;
    Clock::time_point since;
  };
  const std::size_t most_;
  std::deque<Begun> runs_;
};

}  // namespace glovebox::broker
