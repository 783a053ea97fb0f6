// The guest's clock: it stands still while code runs and moves only with `now` in frames from the gateway.
#pragma once

#include <time.h>

#include <cstdint>

namespace glovebox::guest {

class GuestClock {
 public:
  // For the zygote: takes away the pages in which every process finds the kernel's clock and reads it without a call,
  // to the tick. A kernel that seals its own mappings leaves them.
  static void unmap_kernels();
  // From here on nothing in this process sees real time.
  static void stop();
  static bool stopped();
  // Never backwards, so that a reply which overtakes another does no harm.
  static void move_to(std::int64_t now_ms);
  static void start_at(std::int64_t now_ms);
  static std::int64_t now_ms();
  static std::int64_t ms_since_start();
  // Whether the run has seen what the clock shows. A start forgets it.
  static void note_read();
  static bool was_read();

  static timespec wall();
  // For the engine's own bookkeeping: it measures spans and expects some progress.
  static timespec steady();
};

}  // namespace glovebox::guest
