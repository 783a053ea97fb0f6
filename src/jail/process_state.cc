#include "jail/process_state.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstring>
#include <string>

#include "base/unique_fd.h"

namespace glovebox::jail {

char process_state(pid_t pid) {
  char text[256] = {};
  const base::UniqueFd stat(::open(("/proc/" + std::to_string(pid) + "/stat").c_str(), O_RDONLY | O_CLOEXEC));
  if (!stat.valid() || ::read(stat.get(), text, sizeof text - 1) <= 0) return 0;
  // "PID (NAME) STATE …": the name may hold anything, so the state is found from the last bracket.
  const char* name_end = std::strrchr(text, ')');
  return name_end && std::strlen(name_end) > 2 ? name_end[2] : '\0';
}

}  // namespace glovebox::jail
