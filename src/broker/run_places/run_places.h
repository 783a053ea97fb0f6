// RunPlaces: how many runs there may be at once, and how much memory they may have together. Both languages share it.
// Of the loop thread.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace glovebox::broker {

class RunPlaces {
 public:
  // `memory_bytes`: what the runs may have by their limits, whatever they use; 0: as much as they like.
  RunPlaces(std::size_t runs, std::size_t memory_bytes) : most_runs_(runs), most_memory_(memory_bytes) {}

  bool has_room(std::size_t memory_bytes) const {
    return runs_ < most_runs_ && (most_memory_ == 0 || memory_bytes <= most_memory_ - memory_);
  }
  void take(std::size_t memory_bytes) {
    ++runs_;
    memory_ += memory_bytes;
  }
  void give_back(std::size_t memory_bytes) {
    --runs_;
    memory_ -= memory_bytes;
    for (const auto& tell : when_free_) tell();
  }
  // How many of the queued runs, by their memory, fit now.
  template <typename Line, typename MemoryOf>
  std::size_t room_for(const Line& line, MemoryOf memory_of) const {
    RunPlaces then(most_runs_, most_memory_);
    then.runs_ = runs_;
    then.memory_ = memory_;
    std::size_t count = 0;
    for (; count < line.size() && then.has_room(memory_of(line[count])); ++count) then.take(memory_of(line[count]));
    return count;
  }

  void when_free(std::function<void()> tell) { when_free_.push_back(std::move(tell)); }

 private:
  std::size_t most_runs_;
  std::size_t most_memory_;
  std::size_t runs_ = 0;
  std::size_t memory_ = 0;
  std::vector<std::function<void()>> when_free_;
};

}  // namespace glovebox::broker
