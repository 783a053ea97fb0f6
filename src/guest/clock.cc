#include "guest/clock.h"

#include <sys/syscall.h>
#include <unistd.h>

#include "guest/pages/memory_map.h"

namespace glovebox::guest {
namespace {

bool is_stopped = false;
std::int64_t current_ms = 0;
std::int64_t start_ms = 0;
std::int64_t steady_ns = 0;
bool is_read = false;

}  // namespace

void GuestClock::unmap_kernels() {
  for (const Mapping& mapping : read_memory_map()) {
    if (mapping.is_clock) ::syscall(SYS_munmap, mapping.begin, mapping.size());
  }
}

void GuestClock::stop() {
  timespec now;
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  steady_ns = now.tv_sec * 1'000'000'000 + now.tv_nsec;
  is_stopped = true;
}

bool GuestClock::stopped() {
  return is_stopped;
}

void GuestClock::start_at(std::int64_t now_ms) {
  current_ms = start_ms = now_ms;
  is_read = false;
}

void GuestClock::move_to(std::int64_t now_ms) {
  if (now_ms > current_ms) current_ms = now_ms;
}

std::int64_t GuestClock::now_ms() {
  return current_ms;
}
std::int64_t GuestClock::ms_since_start() {
  return current_ms - start_ms;
}

void GuestClock::note_read() {
  is_read = true;
}
bool GuestClock::was_read() {
  return is_read;
}

// Only Date asks the engine for it, so a program that made one has seen the time.
timespec GuestClock::wall() {
  note_read();
  return {current_ms / 1000, (current_ms % 1000) * 1'000'000};
}

timespec GuestClock::steady() {
  steady_ns += 1000;
  return {steady_ns / 1'000'000'000, steady_ns % 1'000'000'000};
}

}  // namespace glovebox::guest
