// When a run that waits for people gives its guest back.
#include <algorithm>

#include "gateway/calls/tool_passage.h"
#include "gateway/runs/managed_run.h"

namespace glovebox::gateway {
namespace {

constexpr std::uint64_t kTooMuchWork = 10;  // work beside a wait, as a multiple of restless_entries

}  // namespace

void ManagedRun::count_waiting() {
  if (!attempt_ || attempt_->parking) return;
  const bool waiting = questions_.waits();
  if (waiting == attempt_->counted_waiting) return;
  services_->live_waiting += waiting ? 1 : -1;
  attempt_->counted_waiting = waiting;
  attempt_->waits_since = std::chrono::steady_clock::now();
  attempt_->entries_before = journal_->size();
}

std::uint64_t ManagedRun::entries_since_waiting() const {
  return attempt_->counted_waiting ? journal_->size() - attempt_->entries_before : 0;
}

// Whether it has done so much since the wait began that it is parked without coming to rest.
bool ManagedRun::is_restless() const {
  if (entries_since_waiting() > services_->times.restless_entries) return true;
  const auto waited = std::chrono::steady_clock::now() - attempt_->waits_since;
  return attempt_->counted_waiting && waited > services_->times.restless_most;
}

// Whether nothing happens before a person answers. An attempt that has just begun has open calls that it has yet to
// repeat; calls that were just answered are open until the guest has the reply.
bool ManagedRun::only_waits(bool crowded) const {
  for (const auto& [call, op] : journal_->open_calls()) {
    if (op == "sleep") continue;  // continues with the next attempt
    if (op != "tool") {
      // Interrupting a request or a command fails it with OUTCOME_UNKNOWN; done only for lack of room.
      if (!crowded) return false;
    } else if (const auto passage = passage_of(call); !passage || passage->state() != ToolPassage::State::kWaiting) {
      return false;
    }
  }
  return true;
}

std::size_t ManagedRun::calls_under_way() const {
  if (!attempt_ || !journal_) return 0;
  std::size_t count = 0;
  for (const auto& [call, op] : journal_->open_calls()) {
    const auto passage = op == "tool" ? passage_of(call) : nullptr;
    const bool waits = op == "sleep" || (passage && passage->state() == ToolPassage::State::kWaiting);
    if (!waits) ++count;
  }
  return count;
}

void ManagedRun::park_if_idle() {
  if (!attempt_ || attempt_->parking || over_ || !questions_.waits() || questions_.is_gathering()) return;
  if (!journal_->is_kept()) return;
  const bool all_wait = std::all_of(attempt_->passages.begin(), attempt_->passages.end(), [](const auto& item) {
    return item.second->state() == ToolPassage::State::kWaiting;
  });
  // Other work may continue for a while; a program that never finishes it loses its process.
  const bool crowded = services_->live_waiting > services_->times.most_live_waiting ||
                       entries_since_waiting() > kTooMuchWork * services_->times.restless_entries;
  const auto quiet = std::chrono::steady_clock::now() - journal_->last_entry();
  const auto rest = is_restless() ? std::chrono::milliseconds(0)
                    : crowded     ? services_->times.gather / 2
                                  : services_->times.park_after;
  if (!all_wait || quiet < rest || !only_waits(crowded)) return;
  // The journal is written until the guest is gone, and nothing else happens until then: so the next attempt knows what
  // the guest still did.
  attempt_->parking = true;
  uncount_waiting();
  attempt_->cancel();
}

void ManagedRun::uncount_waiting() {
  if (attempt_ && std::exchange(attempt_->counted_waiting, false)) --services_->live_waiting;
}

}  // namespace glovebox::gateway
