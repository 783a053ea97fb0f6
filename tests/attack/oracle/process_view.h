// Processes as the kernel shows them from outside.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <set>
#include <string>
#include <vector>

namespace glovebox::attack {

struct ProcessView {
  pid_t pid = 0;
  pid_t parent = 0;
  char state = '?';
  std::string name;
};

// Children, their children, and so on, zombies included.
std::vector<ProcessView> descendants_of(pid_t ancestor);

bool is_alive(pid_t pid);  // a zombie is not

// /proc/PID/NAME; nothing when it cannot be read.
std::string read_proc(pid_t pid, const std::string& name);
// A line of /proc/PID/status without its name.
std::string status_field(pid_t pid, const std::string& field);
// Whether a guest has made the last step of its seal: it has a filter of its own beside those that its parent has. A
// zygote has one filter more than the gateway, too, but may open descriptors.
bool is_sealed(pid_t pid);
// Soft limit, hard limit of a line in /proc/PID/limits, as "0 0".
std::string limit_of(pid_t pid, const std::string& resource);
// "3 socket:[123]" for each descriptor.
std::vector<std::string> descriptors_of(pid_t pid);
// Names in a folder as PID sees it through its own root.
std::set<std::string> root_entries(pid_t pid);
// The identity of a namespace, e.g. "net:[4026531840]".
std::string namespace_of(pid_t pid, const std::string& kind);

// How many mappings of PID contain these bytes, and how many bytes could be read at all.
struct MemorySearch {
  std::size_t mappings_with_it = 0;
  std::size_t bytes_read = 0;
};
MemorySearch search_memory(pid_t pid, const std::string& bytes);

}  // namespace glovebox::attack
