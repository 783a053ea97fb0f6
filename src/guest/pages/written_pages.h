// The pages that a run writes to, whatever it does. A fork shares them with the zygote, and the first write to each is
// a fault: a guest that waits in the pool takes those faults before its run comes.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace glovebox::guest {

class WrittenPages {
 public:
  // In the zygote, when nothing of it changes any more: does this in a copy of the process and sees what the copy wrote
  // to. Learns nothing where the kernel does not tell.
  void learn(const std::function<void()>& run);
  bool is_empty() const { return pages_.empty(); }
  // In a guest: writes to each what is there.
  void touch() const;

 private:
  std::vector<std::uintptr_t> pages_;
};

}  // namespace glovebox::guest
