#include "footprint.h"

#include <malloc.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "process_view.h"

namespace glovebox::attack {
namespace {

std::size_t kilobytes(const char* field) {
  return static_cast<std::size_t>(std::strtoull(status_field(::getpid(), field).c_str(), nullptr, 10)) * 1024;
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

std::vector<std::string> mounts() {
  std::vector<std::string> lines;
  std::istringstream text(read_proc(::getpid(), "mountinfo"));
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

}  // namespace glovebox::attack
