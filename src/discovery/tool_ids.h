// Small numbers for the tools of a catalogue. The smallest that is free is given first, also after tools have gone.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <queue>
#include <string>
#include <vector>

namespace glovebox::discovery {

class ToolIds {
 public:
  std::size_t size() const { return ids_.size(); }
  // Null where the name has none.
  const std::uint32_t* find(const std::string& name) const {
    const auto known = ids_.find(name);
    return known == ids_.end() ? nullptr : &known->second;
  }
  std::uint32_t put(const std::string& name) {
    const auto [place, is_new] = ids_.try_emplace(name, static_cast<std::uint32_t>(ids_.size()));
    if (is_new && !free_.empty()) {
      place->second = free_.top();
      free_.pop();
    }
    return place->second;
  }
  void remove(const std::string& name) {
    const auto known = ids_.find(name);
    if (known == ids_.end()) return;
    free_.push(known->second);
    ids_.erase(known);
  }

 private:
  std::map<std::string, std::uint32_t> ids_;  // with no free id they are 0 to the number of tools - 1
  std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> free_;
};

}  // namespace glovebox::discovery
