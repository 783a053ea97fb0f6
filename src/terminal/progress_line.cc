#include "terminal/progress_line.h"

#include <unistd.h>

#include <cstdio>

namespace glovebox::cli {

std::function<void(const std::string&)> progress_on_terminal() {
  if (::isatty(STDERR_FILENO) == 0) return {};
  return [](const std::string& text) {
    std::fprintf(stderr, "\r\033[K%s", text.c_str());
    std::fflush(stderr);
  };
}

}  // namespace glovebox::cli
