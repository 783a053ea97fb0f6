#include "broker/shared_core.h"

#include <utility>

#include "base/cores/staying_thread.h"

namespace glovebox::broker {
namespace {

// A program that makes a few calls ends before sharing would pay.
constexpr std::size_t kCallsInARow = 8;
// Since the run was last polled: with fewer, the guest computes or waits, and should be where the scheduler wants it.
constexpr std::size_t kFewCalls = 3;
// Then both roam for the next calls, so that the scheduler can choose another core if this one has become busy.
constexpr std::size_t kMostPolls = 40;

}  // namespace

TurnTaking::Advice TurnTaking::call(bool alone) {
  ++since_poll_;
  in_a_row_ = alone ? in_a_row_ + 1 : 0;
  if (!shares_ && in_a_row_ == kCallsInARow) {
    shares_ = true;
    polls_ = 0;
    return Advice::kShare;
  }
  return shares_ && !alone ? Advice::kPart : Advice::kNone;
}

TurnTaking::Advice TurnTaking::poll() {
  const bool is_slow = std::exchange(since_poll_, 0) < kFewCalls;
  if (is_slow) in_a_row_ = 0;
  return shares_ && (is_slow || ++polls_ == kMostPolls) ? Advice::kPart : Advice::kNone;
}

void TurnTaking::part() {
  shares_ = false;
  in_a_row_ = 0;
}

void SharedCore::run_began() {
  ++runs_;
  part();
}

void SharedCore::run_ended() {
  --runs_;
  part();
}

void SharedCore::call_made(const jail::GuestProcess& guest, bool alone) {
  if (runs_ == 1) follow(turns_.call(alone), guest);
}

void SharedCore::polled(const jail::GuestProcess& guest) {
  if (runs_ == 1) follow(turns_.poll(), guest);
}

void SharedCore::follow(TurnTaking::Advice advice, const jail::GuestProcess& guest) {
  if (advice == TurnTaking::Advice::kPart) return part();
  if (advice != TurnTaking::Advice::kShare) return;
  base::StayingThread& loop = base::StayingThread::here();
  if (!loop.stay() || !guest.run_on(base::only_core(*loop.core()))) return part();
  guest_ = &guest;
}

void SharedCore::part() {
  turns_.part();
  base::StayingThread& loop = base::StayingThread::here();
  if (!loop.core()) return;
  loop.roam();
  if (const auto* const guest = std::exchange(guest_, nullptr)) guest->run_on(loop.all());
}

}  // namespace glovebox::broker
