// For the first line of a program.
#pragma once

#include <fcntl.h>
#include <unistd.h>

namespace glovebox::cli {

// Where a standard stream is closed, the next descriptor would take its number: a socket of ours would receive the
// result. Opened the wrong way round, so that using it still fails, and the failure is reported.
inline void occupy_standard_streams() {
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; ++fd) {
    if (::fcntl(fd, F_GETFD) < 0) (void)!::open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

}  // namespace glovebox::cli
