#include "guest/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/auxv.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>

#include "guest/pages/memory_map.h"

namespace glovebox::guest {
namespace {

bool is_stopped = false;
std::int64_t current_ms = 0;
std::int64_t start_ms = 0;
std::int64_t steady_ns = 0;
bool is_read = false;

// The kernel's pages lie right before the code that reads them, whose address every process is given. Since Linux 6.11
// a mapping can be asked for without the text about all of them. False: this kernel does not tell.
bool unmap_before_vdso() {
  struct Query {  // the kernel's procmap_query
    std::uint64_t size, flags, address, begin, end, of_mapping[4];
    std::uint32_t device[2], name_size, build_id_size;
    std::uint64_t name, build_id;
  };
  std::uint64_t end = ::getauxval(AT_SYSINFO_EHDR);
  const int file = end == 0 ? -1 : ::open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  bool told = file >= 0;
  for (bool found = told; found;) {
    char name[16] = "";
    Query query{};
    query.size = sizeof query;
    query.address = end - 1;
    query.name = reinterpret_cast<std::uint64_t>(name);
    query.name_size = sizeof name;
    const int error = ::ioctl(file, _IOWR('f', 17, Query), &query) == 0 ? 0 : errno;
    // Nothing is there, or something with a longer name.
    told = error == 0 || error == ENOENT || error == ENAMETOOLONG;
    found = error == 0 && std::strncmp(name, "[vvar", 5) == 0;
    if (found) ::syscall(SYS_munmap, query.begin, query.end - query.begin);
    end = query.begin;
  }
  if (file >= 0) ::close(file);
  return told;
}

}  // namespace

void GuestClock::unmap_kernels() {
  if (unmap_before_vdso()) return;
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
