#include "gateway/adoption/others_runs.h"

#include <algorithm>

namespace glovebox::gateway {
namespace {

// Of a run that is not in the store any more.
constexpr const char* kDied = R"({"error":{"type":"SandboxError","code":"GATEWAY_DIED"}})";

}  // namespace

void OthersRuns::listen(std::string run, const std::string& parent, RunEvents events) {
  others_[next_other_++] = {std::move(run), parent, std::move(events), {}};
}

bool OthersRuns::has_listener(const std::string& run) const {
  return std::any_of(others_.begin(), others_.end(), [&](const auto& other) { return other.second.run == run; });
}

void OthersRuns::hand_over(const std::string& run, const TakeOver& to) {
  std::vector<Listener> listeners;
  std::erase_if(others_, [&](const auto& other) {
    if (other.second.run != run) return false;
    listeners.push_back(other.second);
    return true;
  });
  for (Listener& listener : listeners) {
    // Whoever begins to listen to a run is told of all its requests.
    if (listener.events.on_waiting)
      listener.events.on_waiting = [reported = std::move(listener.reported),
                                    tell = std::move(listener.events.on_waiting)](const ApprovalRequest& request) {
        if (!reported.contains(request.id)) tell(request);
      };
    to(listener.parent, listener.events);
  }
}

std::vector<OthersRuns::Wanted> OthersRuns::wanted() const {
  std::vector<Wanted> wanted;
  for (const auto& [number, other] : others_) wanted.push_back({number, other.run, other.reported});
  return wanted;
}

std::vector<OthersRuns::News> OthersRuns::read(store::Store& store, const std::vector<Wanted>& wanted) {
  std::vector<News> all;
  for (const auto& [listener, run, reported] : wanted) {
    // Asked again and again: what may be large is read once, when it is of use.
    const auto record = store.find_run_in_short(run);
    if (!record) continue;
    News news{listener, !record.value() || has_ended(record.value()->status), std::nullopt, {}};
    if (!record.value()) {
      news.end = RunEnd{run, store::RunStatus::kFailed, kDied, nullptr};
    } else if (news.is_over) {
      auto outcome = store.outcome_of(run);
      if (!outcome) continue;
      news.end = RunEnd{run, record.value()->status, std::move(outcome).value(), nullptr};
    } else {
      const auto pending = store.approval_ids(run, true);
      for (const std::string& id : pending ? pending.value() : std::vector<std::string>()) {
        if (reported.contains(id)) continue;
        const auto approval = store.find_approval(id);
        if (approval && approval.value()) news.requests.push_back({id, run, "", approval.value()->card});
      }
    }
    all.push_back(std::move(news));
  }
  return all;
}

void OthersRuns::tell(const std::vector<News>& news) {
  for (const News& one : news) {
    const auto listener = others_.find(one.listener);
    if (listener == others_.end()) continue;
    // A callback may add listeners, or close everything.
    const RunEvents events = listener->second.events;
    if (one.is_over) others_.erase(listener);
    if (one.end && events.on_end) events.on_end(*one.end);
    for (const ApprovalRequest& request : one.requests) {
      const auto still = others_.find(one.listener);
      if (still == others_.end() || !still->second.reported.insert(request.id).second) continue;
      if (events.on_waiting) events.on_waiting(request);
    }
  }
}

}  // namespace glovebox::gateway
