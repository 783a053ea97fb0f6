#include "base/program_part.h"

#include <unistd.h>

namespace glovebox::base {

std::string program_part(const std::string& name) {
  char path[4096];
  const ssize_t length = ::readlink("/proc/self/exe", path, sizeof path);
  const std::string program(path, length > 0 ? static_cast<std::size_t>(length) : 0);
  std::string beside = program.substr(0, program.rfind('/') + 1) + name;
  if (::access(beside.c_str(), R_OK) == 0) return beside;
  return std::string(GLOVEBOX_BUILD_BIN) + "/" + name;
}

}  // namespace glovebox::base
