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
    const auto record = store.find_run(other.run);
    if (!record) continue;
    if (!record.value() || has_ended(record.value()->status)) {
      others_.erase(number);
      if (record.value() && other.events.on_end) {
        other.events.on_end({other.run, record.value()->status, record.value()->outcome, nullptr});
      }
      continue;
    }
    const auto pending = store.approvals(other.run, true);
    for (const store::ApprovalRecord& approval : pending ? pending.value() : std::vector<store::ApprovalRecord>()) {
      const auto mine = others_.find(number);
      if (mine == others_.end() || !mine->second.reported.insert(approval.id).second) continue;
      if (other.events.on_waiting) other.events.on_waiting({approval.id, other.run, "", approval.card});
    }
  }
}

}  // namespace glovebox::gateway
