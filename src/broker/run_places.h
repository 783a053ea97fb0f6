// RunPlaces: admission control. It bounds how many runs there are at once and how much memory they have together, and
// picks the next one. Shared by both languages; used only on the loop thread.
//
// The next run is one of the client that has the fewest under way; on a tie, of the client whose last run began the
// longest ago. So no client waits for what another has queued. A client that has used up its share of memory is passed
// over; no other is, so that small runs do not starve large ones.
//
// A run that another one waits for (a capability) goes first, and one at each depth begins even if there is no room,
// since the runs that wait for it hold the places.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/bounds/byte_shares.h"
#include "broker/shared_core.h"

namespace glovebox::broker {

// What one run needs.
struct PlaceWish {
  std::size_t memory_bytes = 0;  // its limit, not what it uses
  std::string client{};
  std::size_t depth = 0;  // nesting depth: how many runs wait for it
};

class RunPlaces {
 public:
  struct Limits {
    std::size_t runs = 0;
    std::size_t memory_bytes = 0;         // of all runs; 0: no limit
    std::size_t client_memory_bytes = 0;  // of one client; 0: no limit
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

  // The runs in `line` that may begin now, as indexes, in the order in which they begin.
  template <typename Line, typename WishOf>
  std::vector<std::size_t> fitting(const Line& line, WishOf wish_of) const {
    std::vector<std::size_t> chosen;
    if (line.empty()) return chosen;
    RunPlaces then = *this;
    Waiting waiting;
    for (std::size_t i = 0; i < line.size(); ++i) {
      const PlaceWish wish = wish_of(line[i]);
      if (wish.depth == 0) {
        waiting[wish.client].push_back(i);
      } else if (then.has_room(wish)) {
        then.take(wish);
        chosen.push_back(i);
      }
    }
    while (const auto next = then.next(line, wish_of, waiting)) {
      const PlaceWish wish = wish_of(line[next->second]);
      if (!then.has_room(wish)) break;
      then.take(wish);
      chosen.push_back(next->second);
      std::erase(waiting[wish.client], next->second);
    }
    return chosen;
  }

  // Of the arguments of calls that are under way.
  const std::shared_ptr<base::ByteShares>& call_bytes() const { return call_bytes_; }
  // Of the loop.
  const std::shared_ptr<SharedCore>& shared_core() const { return shared_core_; }
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
  // A client that has nothing under way may always begin a run, however large.
  bool client_has_room(const PlaceWish& wish) const {
    if (limits_.client_memory_bytes == 0 || wish.depth > 0) return true;
    const auto share = clients_.find(wish.client);
    return share == clients_.end() || share->second.memory + wish.memory_bytes <= limits_.client_memory_bytes;
  }
  // The client with the lowest value is next.
  using Turn = std::pair<std::size_t, std::uint64_t>;
  Turn turn_of(const std::string& client) const {
    const auto share = clients_.find(client);
    const auto last = last_begun_.find(client);
    return {share == clients_.end() ? 0 : share->second.runs, last == last_begun_.end() ? 0 : last->second};
  }

  // By client, since to look at a whole line for each of its runs takes too long. Indexes, in the order of the line.
  using Waiting = std::map<std::string, std::vector<std::size_t>>;
  using Next = std::pair<Turn, std::size_t>;
  template <typename Line, typename WishOf>
  std::optional<Next> next(const Line& line, WishOf wish_of, const Waiting& waiting) const {
    std::optional<Next> best;
    for (const auto& [client, runs] : waiting) {
      const auto fits = [&](std::size_t run) { return client_has_room(wish_of(line[run])); };
      const auto first = std::find_if(runs.begin(), runs.end(), fits);
      if (first == runs.end()) continue;
      const Next candidate{turn_of(client), *first};
      best = std::min(candidate, best.value_or(candidate));
    }
    return best;
  }

  static constexpr std::size_t kMostRemembered = 256;

  Limits limits_;
  std::shared_ptr<base::ByteShares> call_bytes_ = std::make_shared<base::ByteShares>(base::ByteShares::Limits{});
  std::shared_ptr<SharedCore> shared_core_ = std::make_shared<SharedCore>();
  std::size_t runs_ = 0;
  std::size_t memory_ = 0;
  std::map<std::string, Share> clients_;
  std::uint64_t begun_ = 0;                          // runs so far
  std::map<std::string, std::uint64_t> last_begun_;  // by client: the number of its last run
  std::set<std::size_t> beyond_;                     // depths at which a run was admitted without room
  std::vector<std::function<void()>> when_free_;
};

}  // namespace glovebox::broker
