#include "broker/one_core.h"

#include <algorithm>
#include <set>

namespace glovebox::broker {
namespace {

// Calls that are timed together, and how long one may take of a guest that does little else.
constexpr std::uint64_t kGroup = 50;
constexpr std::chrono::microseconds kQuickCall{500};
// Below this pace the guest computes.
constexpr std::chrono::microseconds kLongestPause{1000};
constexpr std::uint64_t kMostGroupsToWait = 1024;

std::set<OneCore*>& runs_of_this_thread() {
  static thread_local std::set<OneCore*> runs;
  return runs;
}

}  // namespace

OneCore::OneCore() {
  auto& runs = runs_of_this_thread();
  for (OneCore* const other : runs) other->part();
  runs.insert(this);
}

OneCore::~OneCore() {
  part();
  runs_of_this_thread().erase(this);
}

void OneCore::called(pid_t guest, Clock::time_point now) {
  ++looked_.calls;
  if (group_.calls++ == 0) group_.since = now;
  if (group_.calls <= kGroup) return;
  const Clock::duration pace = (now - group_.since) / kGroup;
  group_ = {1, now};
  if (shared_) {
    const bool is_quicker = pace * 10 < pace_apart_ * 9;
    if (is_quicker) return;
    part();
    groups_to_wait_ = next_wait_;
    next_wait_ = std::min(2 * next_wait_, kMostGroupsToWait);
  } else if (groups_to_wait_ > 0) {
    --groups_to_wait_;
  } else if (pace <= kQuickCall && runs_of_this_thread().size() == 1) {
    pace_apart_ = pace;
    looked_ = {0, now};
    share(guest);
  }
}

void OneCore::look(Clock::time_point now) {
  if (shared_ && now - looked_.since > kLongestPause * (looked_.calls + 1)) part();
  looked_ = {0, now};
}

// What cannot be set is left: it is only slower.
void OneCore::share(pid_t guest) {
  Shared before{guest, {}, {}};
  if (::sched_getaffinity(0, sizeof before.loop_before, &before.loop_before) != 0) return;
  if (::sched_getaffinity(guest, sizeof before.guest_before, &before.guest_before) != 0) return;
  const int core = ::sched_getcpu();
  if (core < 0 || core >= CPU_SETSIZE || CPU_COUNT(&before.loop_before) < 2) return;
  cpu_set_t here;
  CPU_ZERO(&here);
  CPU_SET(core, &here);
  if (::sched_setaffinity(guest, sizeof here, &here) != 0) return;
  (void)!::sched_setaffinity(0, sizeof here, &here);
  shared_ = before;
}

void OneCore::part() {
  group_ = {};
  if (!shared_) return;
  (void)!::sched_setaffinity(0, sizeof shared_->loop_before, &shared_->loop_before);
  (void)!::sched_setaffinity(shared_->guest, sizeof shared_->guest_before, &shared_->guest_before);
  shared_.reset();
}

}  // namespace glovebox::broker
