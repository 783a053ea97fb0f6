#include "gateway/adoption/others_runs.h"

namespace glovebox::gateway {

void OthersRuns::listen(std::string run, RunEvents events) {
  others_[next_other_++] = {std::move(run), std::move(events), {}};
}

void OthersRuns::poll(store::Store& store,
                      const std::function<bool(const std::string& run, const RunEvents& events)>& adopt) {
  // A callback may add listeners, or close everything.
  const auto others = others_;
  for (const auto& [number, other] : others) {
    if (adopt(other.run, other.events)) {
      others_.erase(number);
      continue;
    }
    // Asked again and again: what may be large is read once, when it is of use.
    const auto record = store.find_run_in_short(other.run);
    if (!record) continue;
    if (!record.value() || has_ended(record.value()->status)) {
      const auto outcome = store.outcome_of(other.run);
      if (!outcome) continue;
      others_.erase(number);
      if (record.value() && other.events.on_end) {
        other.events.on_end({other.run, record.value()->status, outcome.value(), nullptr});
      }
      continue;
    }
    const auto pending = store.approval_ids(other.run, true);
    for (const std::string& id : pending ? pending.value() : std::vector<std::string>()) {
      const auto mine = others_.find(number);
      if (mine == others_.end() || mine->second.reported.contains(id)) continue;
      const auto approval = store.find_approval(id);
      if (!approval) continue;
      mine->second.reported.insert(id);
      if (approval.value() && other.events.on_waiting)
        other.events.on_waiting({id, other.run, "", approval.value()->card});
    }
  }
}

}  // namespace glovebox::gateway
