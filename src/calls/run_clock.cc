#include "calls/run_clock.h"

#include <algorithm>
#include <cmath>

namespace glovebox::calls {

using std::chrono::milliseconds;

std::int64_t RunClock::shown_ms(Clock::time_point now) const {
  return shown_ms_ + std::chrono::duration_cast<milliseconds>(now - shown_since_).count();
}

RunClock::Clock::time_point RunClock::when_shown(double ms) const {
  // Longer than any run, and short enough that adding it to a clock cannot overflow.
  constexpr double kLongestMs = 1e10;
  const double wait = std::isfinite(ms) ? std::clamp(ms - static_cast<double>(shown_ms_), 0.0, kLongestMs) : kLongestMs;
  return shown_since_ + milliseconds(static_cast<std::int64_t>(wait));
}

void RunClock::Stopwatch::stop(Clock::time_point now) {
  if (stops_++ == 0) stopped_since_ = now;
}

void RunClock::Stopwatch::go(Clock::time_point now) {
  if (stops_ == 0 || --stops_ > 0) return;
  stood_ += now - stopped_since_;
}

RunClock::Clock::duration RunClock::Stopwatch::elapsed(Clock::time_point now) const {
  return (stops_ > 0 ? stopped_since_ : now) - started_ - stood_;
}

RunClock::Clock::time_point RunClock::Stopwatch::when(Clock::duration elapsed) const {
  return stops_ > 0 ? Clock::time_point::max() : started_ + stood_ + elapsed;
}

void RunClock::stop(Clock::time_point now) {
  own_work_.stop(now);
  total_.stop(now);
}

void RunClock::go(Clock::time_point now) {
  own_work_.go(now);
  total_.go(now);
}

RunClock::Clock::duration RunClock::own_work_left(Clock::time_point now) const {
  return limits_.own_work - own_work_.elapsed(now);
}

RunClock::Clock::duration RunClock::total_left(Clock::time_point now) const {
  return limits_.total - total_.elapsed(now);
}

RunClock::Clock::time_point RunClock::deadline() const {
  return std::min(own_work_.when(limits_.own_work), total_.when(limits_.total));
}

}  // namespace glovebox::calls
