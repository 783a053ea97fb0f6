// How a run's journal is told of its calls, and what waits for it.
#include <atomic>

#include "broker/session.h"

namespace glovebox::broker {

void Session::link_journal(CallDesk::Links& links) {
  const auto self = weak_from_this();
  if (request_.on_journal) {
    links.journal = [self](JournalEntry entry) {
      const auto session = self.lock();
      if (session && !session->finished_) session->request_.on_journal(std::move(entry));
    };
  }
  if (!request_.before_call) return;
  links.may_go_on = [self](bool acts, std::function<void()> go) {
    const auto session = self.lock();
    return !session || session->may_go_on(acts, std::move(go));
  };
}

bool Session::may_go_on(bool acts, std::function<void()> go) {
  enum Stage { kAsked, kAtOnce, kHeld };
  const auto stage = std::make_shared<std::atomic<int>>(kAsked);
  request_.before_call(acts, [stage, io = std::weak_ptr(io_), self = weak_from_this(), go = std::move(go)] {
    int expected = kAsked;
    const auto loop = io.lock();
    if (stage->compare_exchange_strong(expected, kAtOnce) || !loop) return;
    boost::asio::post(*loop, [self, go] {
      const auto session = self.lock();
      if (!session || session->finished_) return;
      session->clock_->go();
      go();
    });
  });
  int expected = kAsked;
  if (!stage->compare_exchange_strong(expected, kHeld)) return true;
  clock_->stop();
  return false;
}

}  // namespace glovebox::broker
