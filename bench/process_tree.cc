#include "process_tree.h"

#include <time.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <deque>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <unordered_map>

namespace glovebox::bench {
namespace {

std::string file_of(pid_t pid, const char* name) {
  return "/proc/" + std::to_string(pid) + "/" + name;
}

// The fields of /proc/PID/stat from the third on. The second, the program's name, may hold spaces and parentheses.
std::vector<std::string> stat_fields(pid_t pid) {
  std::ifstream file(file_of(pid, "stat"));
  // Not by iterators: they throw when the process ends between opening and reading.
  std::string text;
  std::getline(file, text, '\0');
  const auto name_end = text.rfind(") ");
  if (name_end == std::string::npos) return {};
  std::istringstream words(text.substr(name_end + 2));
  return std::vector<std::string>(std::istream_iterator<std::string>(words), {});
}
constexpr std::size_t kParent = 1, kChildUserTicks = 13, kChildSystemTicks = 14;  // counted from the third field

std::optional<std::size_t> kib_after(const std::string& path, const std::string& label) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (line.rfind(label, 0) == 0) return std::strtoull(line.c_str() + label.size(), nullptr, 10);
  }
  return std::nullopt;
}

// The process's own clock has nanoseconds where /proc/PID/stat has ticks of 10 ms.
double own_cpu_ms(pid_t pid) {
  clockid_t clock{};
  timespec used{};
  if (clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &used) != 0) return 0;
  return static_cast<double>(used.tv_sec) * 1e3 + static_cast<double>(used.tv_nsec) / 1e6;
}

double reaped_children_cpu_ms(pid_t pid) {
  const auto fields = stat_fields(pid);
  if (fields.size() <= kChildSystemTicks) return 0;
  const double ticks = std::stod(fields[kChildUserTicks]) + std::stod(fields[kChildSystemTicks]);
  return ticks * 1e3 / static_cast<double>(sysconf(_SC_CLK_TCK));
}

}  // namespace

std::vector<Descendant> descendants_of(pid_t root) {
  std::unordered_map<pid_t, std::vector<pid_t>> children;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const std::string name = entry.path().filename();
    pid_t pid = 0;
    if (std::from_chars(name.data(), name.data() + name.size(), pid).ec != std::errc{}) continue;
    const auto fields = stat_fields(pid);
    if (fields.size() > kParent) children[std::stoi(fields[kParent])].push_back(pid);
  }
  std::vector<Descendant> found;
  std::deque<Descendant> to_visit{{root, 0}};
  while (!to_visit.empty()) {
    const Descendant parent = to_visit.front();
    to_visit.pop_front();
    for (const pid_t child : children[parent.pid]) {
      found.push_back({child, parent.depth + 1});
      to_visit.push_back(found.back());
    }
  }
  return found;
}

double tree_cpu_ms(pid_t root) {
  double total = own_cpu_ms(root) + reaped_children_cpu_ms(root);
  for (const auto& process : descendants_of(root))
    total += own_cpu_ms(process.pid) + reaped_children_cpu_ms(process.pid);
  return total;
}

std::optional<std::size_t> private_dirty_kib(pid_t pid) {
  return kib_after(file_of(pid, "smaps_rollup"), "Private_Dirty:");
}
std::optional<std::size_t> resident_kib(pid_t pid) {
  return kib_after(file_of(pid, "status"), "VmRSS:");
}

std::size_t open_descriptor_count() {
  // The iterator itself holds one descriptor while it counts.
  const auto entries = std::filesystem::directory_iterator("/proc/self/fd");
  return static_cast<std::size_t>(std::distance(begin(entries), end(entries))) - 1;
}

std::size_t mount_count() {
  std::ifstream file("/proc/self/mountinfo");
  std::size_t lines = 0;
  for (std::string line; std::getline(file, line);) ++lines;
  return lines;
}

}  // namespace glovebox::bench
