#include "jail/process_state.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <span>
#include <string>

#include "base/unique_fd.h"

namespace glovebox::jail {

std::string proc_path(pid_t pid, const char* name) {
  return "/proc/" + std::to_string(pid) + "/" + name;
}

namespace {

// The beginning of a file in the process's folder, as far as it fits before a zero.
bool read_about(pid_t pid, const char* name, std::span<char> text) {
  const base::UniqueFd file(::open(proc_path(pid, name).c_str(), O_RDONLY | O_CLOEXEC));
  return file.valid() && ::read(file.get(), text.data(), text.size() - 1) > 0;
}

}  // namespace

char process_state(pid_t pid) {
  char text[256] = {};
  if (!read_about(pid, "stat", text)) return 0;
  // "PID (NAME) STATE …": the name may hold anything, so the state is found from the last bracket.
  const char* name_end = std::strrchr(text, ')');
  return name_end && std::strlen(name_end) > 2 ? name_end[2] : '\0';
}

std::size_t page_table_bytes(pid_t pid) {
  char text[4096] = {};
  const char* const line = read_about(pid, "status", text) ? std::strstr(text, "\nVmPTE:") : nullptr;
  return line ? std::strtoul(line + std::strlen("\nVmPTE:"), nullptr, 10) * 1024 : 0;
}

}  // namespace glovebox::jail
