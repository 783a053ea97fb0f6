#include "process_view.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>

#include "base/unique_fd.h"

namespace glovebox::attack {
namespace {

std::string path_of(pid_t pid, const std::string& name) {
  return "/proc/" + std::to_string(pid) + "/" + name;
}

std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> names;
  if (DIR* directory = ::opendir(folder.c_str())) {
    while (const dirent* entry = ::readdir(directory)) {
      const std::string name = entry->d_name;
      if (name != "." && name != "..") names.push_back(name);
    }
    ::closedir(directory);
  }
  return names;
}

std::string link_target(const std::string& path) {
  char target[4096];
  const ssize_t length = ::readlink(path.c_str(), target, sizeof target);
  return std::string(target, length > 0 ? static_cast<std::size_t>(length) : 0);
}

bool read_stat(pid_t pid, ProcessView& view) {
  const std::string text = read_proc(pid, "stat");
  const std::size_t open = text.find('('), close = text.rfind(')');
  if (close == std::string::npos) return false;
  view.pid = pid;
  view.name = text.substr(open + 1, close - open - 1);
  std::istringstream rest(text.substr(close + 1));
  return static_cast<bool>(rest >> view.state >> view.parent);
}

}  // namespace

std::string read_proc(pid_t pid, const std::string& name) {
  std::ifstream file(path_of(pid, name), std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<ProcessView> descendants_of(pid_t ancestor) {
  std::multimap<pid_t, ProcessView> by_parent;
  for (const std::string& name : names_in("/proc")) {
    ProcessView view;
    if (std::isdigit(static_cast<unsigned char>(name[0])) && read_stat(static_cast<pid_t>(std::stol(name)), view)) {
      by_parent.emplace(view.parent, view);
    }
  }
  std::vector<ProcessView> found;
  std::vector<pid_t> open = {ancestor};
  while (!open.empty()) {
    const auto [first, last] = by_parent.equal_range(open.back());
    open.pop_back();
    for (auto child = first; child != last; ++child) {
      found.push_back(child->second);
      open.push_back(child->first == child->second.pid ? 0 : child->second.pid);
    }
  }
  return found;
}

bool is_alive(pid_t pid) {
  ProcessView view;
  return read_stat(pid, view) && view.state != 'Z' && view.state != 'X';
}

std::string status_field(pid_t pid, const std::string& field) {
  std::istringstream lines(read_proc(pid, "status"));
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(field + ":")) continue;
    line.erase(0, field.size() + 1);
    line.erase(0, line.find_first_not_of(" \t"));
    std::replace(line.begin(), line.end(), '\t', ' ');
    return line;
  }
  return {};
}

bool is_sealed(pid_t pid) {
  const auto number = [](pid_t of, const char* field) {
    const std::string text = status_field(of, field);
    return text.empty() ? -1 : std::atoi(text.c_str());
  };
  const int inherited = number(number(pid, "PPid"), "Seccomp_filters");
  return limit_of(pid, "Max open files") == "0 0" && inherited >= 0 && number(pid, "Seccomp_filters") == inherited + 1;
}

std::string limit_of(pid_t pid, const std::string& resource) {
  std::istringstream lines(read_proc(pid, "limits"));
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(resource + " ")) continue;
    std::istringstream words(line.substr(resource.size()));
    std::string soft, hard;
    words >> soft >> hard;
    return soft + " " + hard;
  }
  return {};
}

std::vector<std::string> descriptors_of(pid_t pid) {
  std::vector<std::string> descriptors;
  const std::string folder = path_of(pid, "fd");
  for (const std::string& name : names_in(folder)) descriptors.push_back(name + " " + link_target(folder + "/" + name));
  std::sort(descriptors.begin(), descriptors.end());
  return descriptors;
}

std::set<std::string> root_entries(pid_t pid) {
  const auto names = names_in(path_of(pid, "root/"));
  return {names.begin(), names.end()};
}

std::string namespace_of(pid_t pid, const std::string& kind) {
  return link_target(path_of(pid, "ns/" + kind));
}

MemorySearch search_memory(pid_t pid, const std::string& bytes) {
  MemorySearch result;
  const base::UniqueFd memory(::open(path_of(pid, "mem").c_str(), O_RDONLY | O_CLOEXEC));
  if (!memory.valid()) return result;
  std::istringstream maps(read_proc(pid, "maps"));
  std::vector<char> chunk;
  for (std::string line; std::getline(maps, line);) {
    unsigned long from = 0, to = 0;
    char readable = '-';
    if (std::sscanf(line.c_str(), "%lx-%lx %c", &from, &to, &readable) != 3 || readable != 'r') continue;
    // A mapping is read in pieces that overlap by the length of the bytes that are searched.
    constexpr std::size_t kPiece = std::size_t{4} << 20;
    chunk.resize(kPiece + bytes.size());
    bool found = false;
    for (unsigned long at = from; at < to && !found; at += kPiece) {
      const ssize_t got =
          ::pread(memory.get(), chunk.data(), std::min<std::size_t>(chunk.size(), to - at), static_cast<off_t>(at));
      if (got <= 0) break;
      result.bytes_read += static_cast<std::size_t>(got);
      found = ::memmem(chunk.data(), static_cast<std::size_t>(got), bytes.data(), bytes.size()) != nullptr;
    }
    result.mappings_with_it += found;
  }
  return result;
}

}  // namespace glovebox::attack
