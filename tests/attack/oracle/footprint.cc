#include "footprint.h"

#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "process_view.h"

namespace glovebox::attack {
namespace {

std::size_t kilobytes(const char* field) {
  return static_cast<std::size_t>(std::strtoull(status_field(::getpid(), field).c_str(), nullptr, 10)) * 1024;
}

// The eighth number of the first line of /proc/stat.
std::chrono::nanoseconds stolen() {
  std::ifstream stat("/proc/stat");
  std::string word;
  stat >> word;
  long long ticks = 0;
  for (int i = 0; i < 8; ++i) stat >> ticks;
  return std::chrono::seconds(1) * ticks / ::sysconf(_SC_CLK_TCK);
}

}  // namespace

void allocate_in_one_arena() {
  ::mallopt(M_ARENA_MAX, 1);
}

std::size_t resident_bytes() {
  ::malloc_trim(0);
  return kilobytes("VmRSS");
}

void forget_peak() {
  std::ofstream("/proc/self/clear_refs") << "5";
}

std::size_t peak_bytes() {
  return kilobytes("VmHWM");
}

std::size_t count_descriptors() {
  return descriptors_of(::getpid()).size();
}

std::size_t count_threads() {
  const std::filesystem::directory_iterator threads("/proc/self/task");
  return static_cast<std::size_t>(std::distance(begin(threads), end(threads)));
}

Waits waits_for_processor() {
  Waits waits = {{0, stolen()}};
  for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task")) {
    long long ran = 0, waited = 0;
    if (std::ifstream(thread.path() / "schedstat") >> ran >> waited)
      waits[std::stoi(thread.path().filename())] = std::chrono::nanoseconds(waited);
  }
  return waits;
}

std::optional<double> waited_ms_since(const Waits& before) {
  std::chrono::nanoseconds ever{}, since{};
  for (const auto& [thread, wait] : waits_for_processor()) {
    const auto then = before.find(thread);
    ever += thread == 0 ? std::chrono::nanoseconds(0) : wait;
    since += wait - (then == before.end() ? std::chrono::nanoseconds(0) : std::min(then->second, wait));
  }
  // No wait at all means that this kernel does not report them.
  if (ever.count() == 0) return std::nullopt;
  return std::chrono::duration<double, std::milli>(since).count();
}

std::string load_now() {
  double load = 0;
  ::getloadavg(&load, 1);
  char text[64];
  std::snprintf(text, sizeof text, "load %.2f on %u processors", load, std::thread::hardware_concurrency());
  return text;
}

std::vector<std::string> mounts() {
  std::vector<std::string> lines;
  std::istringstream text(read_proc(::getpid(), "mountinfo"));
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

}  // namespace glovebox::attack
