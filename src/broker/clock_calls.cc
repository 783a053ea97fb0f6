#include "broker/clock_calls.h"

#include <algorithm>
#include <cmath>

namespace glovebox::broker {

std::shared_ptr<BodySink> ClockCalls::handle(const Call& call, std::shared_ptr<Answer> answer) {
  const auto until_ms = call.arguments.number("until");
  if (!until_ms) {
    answer->violation("a sleep without an end");
    return nullptr;
  }
  constexpr double kLongestMs = 1e10;
  const auto start = static_cast<double>(start_ms_);
  const double wait = std::isfinite(*until_ms) ? std::clamp(*until_ms - start, 0.0, kLongestMs) : kLongestMs;
  const auto wake_ms = static_cast<std::int64_t>(start + wait);
  auto timer = std::make_unique<boost::asio::steady_timer>(io_);
  timer->expires_at(started_ + std::chrono::milliseconds(static_cast<std::int64_t>(wait)));
  timer->async_wait([this, answer, wake_ms](auto error) {
    if (error || !answer->is_awaited()) return;
    sleeps_.erase(answer->call_id());
    answer->value_at(wake_ms);
  });
  sleeps_[call.id] = std::move(timer);
  return nullptr;
}

void ClockCalls::end(std::function<void()> ended) {
  sleeps_.clear();
  ended();
}

}  // namespace glovebox::broker
