// The clocks of one run: the one that its code sees, and those that measure its time limits. The clock of its own work
// stops during tool calls; the clocks of both limits stop while a person is asked.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace glovebox::calls {

class RunClock {
 public:
  using Clock = std::chrono::steady_clock;
  struct Limits {
    Clock::duration own_work;
    Clock::duration total;
  };

  // The code's clock shows `start_ms` at `now`.
  RunClock(std::int64_t start_ms, Limits limits, Clock::time_point now = Clock::now())
      : limits_(limits), own_work_(now), total_(now), shown_since_(now), shown_ms_(start_ms) {}

  std::int64_t shown_ms(Clock::time_point now = Clock::now()) const;
  // When the code's clock will show `ms`; not before it started.
  Clock::time_point when_shown(double ms) const;

  // For the time that a person is asked. Each stop() is undone by one go().
  void stop(Clock::time_point now = Clock::now());
  void go(Clock::time_point now = Clock::now());
  // The same for tool calls, which stop only the clock of the run's own work.
  void call_begins(Clock::time_point now = Clock::now()) { own_work_.stop(now); }
  void call_ends(Clock::time_point now = Clock::now()) { own_work_.go(now); }

  Clock::duration own_work_left(Clock::time_point now = Clock::now()) const;
  Clock::duration total_left(Clock::time_point now = Clock::now()) const;
  // When the time will be up, if no clock is stopped until then. A clock that is stopped now does not count.
  Clock::time_point deadline() const;

 private:
  class Stopwatch {
   public:
    explicit Stopwatch(Clock::time_point now) : started_(now) {}
    void stop(Clock::time_point now);
    void go(Clock::time_point now);
    Clock::duration elapsed(Clock::time_point now) const;
    Clock::time_point when(Clock::duration elapsed) const;

   private:
    Clock::time_point started_;
    std::size_t stops_ = 0;
    Clock::time_point stopped_since_{};
    Clock::duration stood_{};
  };

  Limits limits_;
  Stopwatch own_work_;
  Stopwatch total_;
  Clock::time_point shown_since_;
  std::int64_t shown_ms_;
};

}  // namespace glovebox::calls
