#include "cache/flights.h"

#include <utility>

namespace glovebox::cache {
namespace {

// Keys that are remembered as not kept. Forgetting one costs a wait, nothing more.
constexpr std::size_t kMostNotKept = 4096;

}  // namespace

Flights::Place Flights::join(const std::string& key, std::function<void()> retry) {
  if (const auto leader = waiting_.find(key); leader != waiting_.end()) {
    leader->second.push_back(std::move(retry));
    return Place::kWaits;
  }
  if (not_kept_.contains(key)) return Place::kAlone;
  waiting_[key];
  return Place::kLeads;
}

void Flights::leave(const std::string& key, bool kept) {
  const auto leader = waiting_.extract(key);
  if (kept) {
    not_kept_.erase(key);
  } else {
    if (not_kept_.size() >= kMostNotKept) not_kept_.clear();
    not_kept_.insert(key);
  }
  if (!leader) return;
  for (const auto& retry : leader.mapped()) retry();
}

}  // namespace glovebox::cache
