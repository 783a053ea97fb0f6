#include "jail/rewind/reusable_guests.h"

#include <algorithm>
#include <utility>

namespace glovebox::jail {
namespace {

// Of all clients.
constexpr std::size_t kMostWaiting = 64;
// A conversation that is silent for so long begins with a new guest.
constexpr std::chrono::minutes kLongestIdle{1};

}  // namespace

ReusableGuests::ReusableGuests(ZygoteProcess& zygote, Links links) : links_(std::move(links)) {
  base::UniqueFd changes = zygote.take_changes();
  if (changes.valid()) {
    rewinder_ = std::make_unique<Rewinder>(std::move(changes), zygote.pid());
  } else {
    is_possible_ = false;
    links_.impossible("the kernel does not report changes of an address space");
  }
}

ReusableGuests::~ReusableGuests() {
  rewinder_.reset();
  for (const Used& used : waiting_) used.guest.kill();
}

Rewinder::Answer ReusableGuests::to_me(std::function<void(Rewinder::Verdict)> then) {
  return [post = links_.post, alive = std::weak_ptr(alive_), then = std::move(then)](Rewinder::Verdict verdict) {
    post([alive, then, verdict] {
      if (!alive.expired()) then(verdict);
    });
  };
}

void ReusableGuests::add(GuestProcess guest) {
  if (rewinder_) pids_[guest.id()] = guest.pid();
  if (!is_possible_) return links_.ready(std::move(guest));
  const auto place = new_.insert(new_.end(), std::move(guest));
  rewinder_->remember({place->pid(), place->pidfd(), place->socket()},
                      to_me([this, place](Rewinder::Verdict verdict) { remembered(place, verdict); }));
}

// A guest that was not remembered serves one run, as without the policy.
void ReusableGuests::remembered(New::iterator place, Rewinder::Verdict verdict) {
  GuestProcess guest = std::move(*place);
  new_.erase(place);
  if (!guest.is_alive()) return links_.changed();
  if (verdict.of_all && std::exchange(is_possible_, false)) links_.impossible(verdict.why_not);
  links_.ready(std::move(guest));
}

void ReusableGuests::rewind(ReuseKey key, GuestProcess guest) {
  if (!rewinder_) return guest.kill();
  const auto place = rewinding_.insert(rewinding_.end(), {std::move(key), std::move(guest)});
  rewinder_->rewind({place->guest.pid(), place->guest.pidfd(), place->guest.socket()},
                    to_me([this, place](Rewinder::Verdict verdict) { rewound(place, !verdict.why_not); }));
}

void ReusableGuests::rewound(Rewinding::iterator place, bool is_done) {
  if (is_done) {
    waiting_.push_back({std::move(place->key), std::move(place->guest)});
  } else {
    place->guest.kill();
  }
  rewinding_.erase(place);
  if (waiting_.size() > kMostWaiting) end_one_of_many();
  end_where_none_comes();
  links_.changed();
}

// Of the client that has most of them: the one that has waited longest.
void ReusableGuests::end_one_of_many() {
  std::map<std::string, std::size_t> guests;
  for (const Used& used : waiting_) ++guests[used.key.client];
  const auto most = std::max_element(guests.begin(), guests.end(),
                                     [](const auto& one, const auto& other) { return one.second < other.second; });
  const auto oldest =
      std::find_if(waiting_.begin(), waiting_.end(), [&](const Used& used) { return used.key.client == most->first; });
  oldest->guest.kill();
  waiting_.erase(oldest);
}

void ReusableGuests::end_where_none_comes() {
  while (!waiting_.empty() && Clock::now() - waiting_.front().since >= kLongestIdle) {
    waiting_.front().guest.kill();
    waiting_.pop_front();
  }
  if (waiting_.empty() || std::exchange(will_look_, true)) return;
  links_.in_a_minute([this, alive = std::weak_ptr(alive_)] {
    if (alive.expired()) return;
    will_look_ = false;
    end_where_none_comes();
  });
}

std::optional<GuestProcess> ReusableGuests::take(const ReuseKey& key) {
  // The one that was used last, whose memory is still in the processor's caches.
  const auto found =
      std::find_if(waiting_.rbegin(), waiting_.rend(), [&](const Used& used) { return used.key == key; });
  if (found == waiting_.rend()) return std::nullopt;
  GuestProcess guest = std::move(found->guest);
  waiting_.erase(std::prev(found.base()));
  return guest;
}

ReusableGuests::Coming::Coming(const ReusableGuests& guests) {
  for (const Used& used : guests.rewinding_) ++guests_[used.key];
}

bool ReusableGuests::Coming::take(const ReuseKey& key) {
  const auto found = guests_.find(key);
  return found != guests_.end() && found->second > 1 && found->second-- > 1;
}

void ReusableGuests::ended(pid_t guest_id) {
  std::erase_if(waiting_, [&](const Used& used) { return used.guest.id() == guest_id; });
  const auto known = pids_.find(guest_id);
  if (known == pids_.end()) return;
  rewinder_->forget(known->second);
  pids_.erase(known);
}

}  // namespace glovebox::jail
