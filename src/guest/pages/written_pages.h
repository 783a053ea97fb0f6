// The pages that a run needs, whatever it does. A fork shares those that it writes to with the zygote, and has none of
// files: the first use of each is a fault. A guest that waits in the pool takes those faults before its run comes.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace glovebox::guest {

class WrittenPages {
 public:
  // In the zygote, when nothing of it changes any more: does this in a copy of the process and sees what the copy used.
  // Learns nothing where the kernel does not report it.
  void learn(const std::function<void()>& run);
  bool is_empty() const { return pages_.empty(); }
  // In a guest: reads from each, or writes to it what is there.
  void touch() const;

 private:
  std::vector<std::uintptr_t> pages_;
};

}  // namespace glovebox::guest
