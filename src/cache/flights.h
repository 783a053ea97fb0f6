// Single flight: of identical work in progress, the second request waits for the first.
//
// Work whose result turned out not to be kept is remembered for a while: nothing waits for it, since waiting would only
// cost time.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace glovebox::cache {

class Flights {
 public:
  enum class Place {
    kLeads,  // does the work, and calls leave() when it is over
    kAlone,  // does the work; no other request waits for it
    kWaits,  // `retry` is called once the leader has left
  };
  Place join(const std::string& key, std::function<void()> retry);
  // The leader's work is over, or will not be kept. The waiting requests try again.
  void leave(const std::string& key, bool kept);
  std::size_t size() const { return waiting_.size(); }

 private:
  std::map<std::string, std::vector<std::function<void()>>> waiting_;  // by the key of a leader
  std::set<std::string> not_kept_;
};

}  // namespace glovebox::cache
