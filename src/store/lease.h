// How long a node may act without asking the store: until then no other can have declared it dead.
#pragma once

#include <chrono>

namespace glovebox::store {

class Lease {
 public:
  // Since the machine started. Keeps counting while the machine sleeps and while this process is stopped.
  static std::chrono::nanoseconds now();

  // The store was asked at `asked` or later, and counts `length` from that moment.
  Lease(std::chrono::nanoseconds asked, std::chrono::milliseconds length);
  static Lease without_end() { return Lease(); }

  bool holds(std::chrono::nanoseconds at = now()) const { return at < until_; }

 private:
  Lease() = default;
  std::chrono::nanoseconds until_ = std::chrono::nanoseconds::max();
};

}  // namespace glovebox::store
