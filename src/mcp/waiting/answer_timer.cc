#include "mcp/waiting/answer_timer.h"

#include <algorithm>

namespace glovebox::mcp {
namespace {

// A busy thread is late by less than this.
constexpr std::chrono::milliseconds kStoodStill{100};

}  // namespace

AnswerTimer::AnswerTimer(boost::asio::any_io_executor executor)
    : timer_(std::make_shared<Timer>(std::move(executor))) {}

void AnswerTimer::start(std::chrono::milliseconds time, std::function<void()> on_late) {
  wait(timer_, time, std::move(on_late));
}

void AnswerTimer::wait(const std::shared_ptr<Timer>& timer, Timer::duration time, std::function<void()> on_late) {
  timer->expires_after(time);
  timer->async_wait([weak = std::weak_ptr<Timer>(timer), time,
                     on_late = std::move(on_late)](const boost::system::error_code& error) mutable {
    const auto alive = weak.lock();
    if (error || !alive) return;
    const auto late = Timer::clock_type::now() - alive->expiry();
    if (late < Timer::duration::zero()) return;  // restarted meanwhile
    if (late < kStoodStill) return on_late();
    wait(alive, std::min(late, time), std::move(on_late));
  });
}

}  // namespace glovebox::mcp
