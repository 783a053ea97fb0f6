// The loop's thread and a guest that asks it something all the time, on one core. Between two cores each question and
// each answer wakes a core that has just gone to sleep, which takes several times as long as the work itself. Where the
// machine has other work for that core it may be the slower way, so it is tried, timed, and kept only if it is quicker.
// Everything here happens on the loop's thread, and is about it.
#pragma once

#include <sched.h>
#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <optional>

namespace glovebox::broker {

class OneCore {
 public:
  using Clock = std::chrono::steady_clock;

  // While it lives there is a run. With more than one of them the cores are needed for other things.
  OneCore();
  ~OneCore();
  OneCore(const OneCore&) = delete;
  OneCore& operator=(const OneCore&) = delete;

  // The guest has called.
  void called(pid_t guest, Clock::time_point now);
  // From time to time: a guest that computes is let go.
  void look(Clock::time_point now);

  bool is_shared() const { return shared_.has_value(); }

 private:
  struct Shared {
    pid_t guest;
    cpu_set_t loop_before;
    cpu_set_t guest_before;
  };
  void share(pid_t guest);
  void part();

  struct Count {
    std::uint64_t calls = 0;
    Clock::time_point since{};
  };

  Count group_;                   // calls that are timed together
  Count looked_;                  // calls since the last look
  Clock::duration pace_apart_{};  // of a call, before the core was shared
  std::uint64_t groups_to_wait_ = 0;
  std::uint64_t next_wait_ = 4;  // groups, after a trial that brought nothing
  std::optional<Shared> shared_;
};

}  // namespace glovebox::broker
