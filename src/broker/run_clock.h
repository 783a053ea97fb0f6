// The clocks of one run: the one that its code sees, and the one that its time limit is measured by. The second stands
// still while a person is asked.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace glovebox::broker {

class RunClock {
 public:
  using Clock = std::chrono::steady_clock;

  // The code's clock shows `start_ms` at `now`.
  RunClock(std::int64_t start_ms, Clock::duration time_limit, Clock::time_point now = Clock::now())
      : started_(now), time_limit_(time_limit), shown_since_(now), shown_ms_(start_ms) {}

  std::int64_t shown_ms(Clock::time_point now = Clock::now()) const;
  // When the code's clock will show `ms`; not before it started.
  Clock::time_point when_shown(double ms) const;
  // From `now` on the code's clock goes on from `ms`, which a replay has brought it to.
  void show(std::int64_t ms, Clock::time_point now = Clock::now());

  // Each stop() is undone by one go().
  void stop(Clock::time_point now = Clock::now());
  void go(Clock::time_point now = Clock::now());
  Clock::duration elapsed(Clock::time_point now = Clock::now()) const;
  // When the time will be up, if nothing stops the clock; never while it stands.
  Clock::time_point deadline() const;

 private:
  Clock::time_point started_;
  Clock::duration time_limit_;
  Clock::time_point shown_since_;
  std::int64_t shown_ms_;
  std::size_t stops_ = 0;
  Clock::time_point stopped_since_{};
  Clock::duration stood_{};
};

}  // namespace glovebox::broker
