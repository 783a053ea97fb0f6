#include "store/lease.h"

#include <time.h>

namespace glovebox::store {
namespace {

// Our clock may run slower than the database's. The kernel slews it by at most one part in two thousand.
constexpr int kSpared = 16;

}  // namespace

std::chrono::nanoseconds Lease::now() {
  timespec time{};
  ::clock_gettime(CLOCK_BOOTTIME, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

Lease::Lease(std::chrono::nanoseconds asked, std::chrono::milliseconds length)
    : until_(asked + length - length / kSpared) {}

}  // namespace glovebox::store
