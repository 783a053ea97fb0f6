// How a run's calls reach its journal, and which calls wait: for the journal, or for permission to make calls at all.
#include <atomic>
#include <boost/asio/post.hpp>

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
    if (!session) return true;
    const auto ask = [&](Go answer) { session->request_.before_call(acts, std::move(answer)); };
    return session->may_go_on(ask, std::move(go));
  };
}

// Nothing is read while the call waits, so the frame that it refers to stays valid.
void Session::handle(calls::Call call) {
  const bool is_first = !std::exchange(has_called_, true);
  const bool is_quick = call.op == "tool" || call.op.starts_with("fs.");
  is_quick ? core_->call_made(guest_, desk_->is_idle()) : core_->part();
  if (is_first && request_.before_first_call) {
    const bool goes =
        may_go_on(request_.before_first_call, [self = weak_from_this(), call] { self.lock()->open_first_call(call); });
    if (!goes) return pause_reading(true);
  }
  desk_->open(std::move(call));
}

void Session::open_first_call(calls::Call call) {
  reading_paused_ = false;
  handling_ = true;
  desk_->open(std::move(call));
  if (!reading_paused_) return handle_frames();
  handling_ = false;
}

// Whether the answer came at once. If not, the run's clocks stop until it comes; then `go` is called on the loop
// thread.
bool Session::may_go_on(const std::function<void(Go)>& ask, Go go) {
  enum Stage { kAsked, kAtOnce, kHeld };
  const auto stage = std::make_shared<std::atomic<int>>(kAsked);
  ask([stage, io = std::weak_ptr(io_), self = weak_from_this(), go = std::move(go)] {
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
