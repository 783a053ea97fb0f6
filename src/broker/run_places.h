// RunPlaces: how many runs there may be at once, how much memory they may have together, and who is next. Both
// languages share it. Of the loop thread.
//
// Next is a run of the client that has the fewest under way, and among those of the one that has waited the longest
// since its last, so no client waits for what another has queued. A client that has all the memory of its share is
// passed over; no other is, so that large runs are not starved by small ones.
//
// A run that another one waits for (a capability) goes before all others, and one at each depth begins even where there
// is no room: those that wait for it hold the places.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace glovebox::broker {

// What one run wants.
struct PlaceWish {
  std::size_t memory_bytes = 0;  // by its limit, whatever it uses
  std::string client{};
  std::size_t depth = 0;  // of the run, in those that wait for it
};

class RunPlaces {
 public:
  struct Limits {
    std::size_t runs = 0;
    std::size_t memory_bytes = 0;         // of all; 0: as much as they like
    std::size_t client_memory_bytes = 0;  // of one client; 0: likewise
  };
  explicit RunPlaces(const Limits& limits) : limits_(limits) {}

  bool has_room(const PlaceWish& wish) const {
    return client_has_room(wish) && (all_have_room(wish) || (wish.depth > 0 && !beyond_.contains(wish.depth)));
  }
  void take(const PlaceWish& wish) {
    if (!all_have_room(wish)) beyond_.insert(wish.depth);
    ++runs_;
    memory_ += wish.memory_bytes;
    Share& share = clients_[wish.client];
    ++share.runs;
    share.memory += wish.memory_bytes;
    if (last_begun_.size() >= kMostRemembered) last_begun_.clear();
    last_begun_[wish.client] = ++begun_;
  }
  void give_back(const PlaceWish& wish) {
    --runs_;
    memory_ -= wish.memory_bytes;
    beyond_.erase(wish.depth);
    const auto share = clients_.find(wish.client);
    share->second.memory -= wish.memory_bytes;
    if (--share->second.runs == 0) clients_.erase(share);
    for (const auto& tell : when_free_) tell();
  }

  // Which runs in line may begin now, by their places in it, the first one first.
  template <typename Line, typename WishOf>
  std::vector<std::size_t> fitting(const Line& line, WishOf wish_of) const {
    std::vector<std::size_t> chosen;
    if (line.empty()) return chosen;
    RunPlaces then = *this;
    std::vector<bool> is_chosen(line.size());
    while (const auto next = then.next(line, wish_of, is_chosen)) {
      const PlaceWish wish = wish_of(line[*next]);
      if (!then.has_room(wish)) break;
      then.take(wish);
      is_chosen[*next] = true;
      chosen.push_back(*next);
    }
    return chosen;
  }

  void when_free(std::function<void()> tell) { when_free_.push_back(std::move(tell)); }

 private:
  struct Share {
    std::size_t runs = 0;
    std::size_t memory = 0;
  };

  bool all_have_room(const PlaceWish& wish) const {
    if (runs_ >= limits_.runs) return false;
    return limits_.memory_bytes == 0 ||
           (memory_ <= limits_.memory_bytes && wish.memory_bytes <= limits_.memory_bytes - memory_);
  }
  // Nobody's share is so small that they may run nothing.
  bool client_has_room(const PlaceWish& wish) const {
    if (limits_.client_memory_bytes == 0 || wish.depth > 0) return true;
    const auto share = clients_.find(wish.client);
    return share == clients_.end() || share->second.memory + wish.memory_bytes <= limits_.client_memory_bytes;
  }
  // The lower, the sooner it is their turn.
  std::pair<std::size_t, std::uint64_t> turn_of(const std::string& client) const {
    const auto share = clients_.find(client);
    const auto last = last_begun_.find(client);
    return {share == clients_.end() ? 0 : share->second.runs, last == last_begun_.end() ? 0 : last->second};
  }

  template <typename Line, typename WishOf>
  std::optional<std::size_t> next(const Line& line, WishOf wish_of, const std::vector<bool>& is_chosen) const {
    std::optional<std::size_t> best;
    std::pair<std::size_t, std::uint64_t> soonest;
    for (std::size_t i = 0; i < line.size(); ++i) {
      if (is_chosen[i]) continue;
      const PlaceWish wish = wish_of(line[i]);
      if (wish.depth > 0 && has_room(wish)) return i;
      if (wish.depth > 0 || !client_has_room(wish)) continue;
      const auto turn = turn_of(wish.client);
      if (best && turn >= soonest) continue;
      best = i;
      soonest = turn;
    }
    return best;
  }

  static constexpr std::size_t kMostRemembered = 256;

  Limits limits_;
  std::size_t runs_ = 0;
  std::size_t memory_ = 0;
  std::map<std::string, Share> clients_;
  std::uint64_t begun_ = 0;                          // runs
  std::map<std::string, std::uint64_t> last_begun_;  // by client: which of those was its last
  std::set<std::size_t> beyond_;                     // depths at which a run has begun without room
  std::vector<std::function<void()>> when_free_;
};

}  // namespace glovebox::broker
