#include "calls/own/clock_calls.h"

namespace glovebox::calls {

std::shared_ptr<BodySink> ClockCalls::handle(const Call& call, std::shared_ptr<Answer> answer) {
  const auto until_ms = call.arguments.number("until");
  if (!until_ms) {
    answer->violation("a sleep without an end");
    return nullptr;
  }
  const auto wake = clock_->when_shown(*until_ms);
  const std::int64_t wake_ms = clock_->shown_ms(wake);
  auto timer = std::make_unique<boost::asio::steady_timer>(io_);
  timer->expires_at(wake);
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

}  // namespace glovebox::calls
