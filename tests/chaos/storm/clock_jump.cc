// Preloaded into a gateway: its wall clock is off by the seconds in the file CLOCK_OFFSET. Monotonic clocks are not
// changed.
#include <fcntl.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

namespace {

long offset() {
  const char* path = getenv("CLOCK_OFFSET");
  const int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
  if (file < 0) return 0;
  char text[32] = {};
  const ssize_t got = read(file, text, sizeof text - 1);
  close(file);
  return got > 0 ? atol(text) : 0;
}

}  // namespace

extern "C" int clock_gettime(clockid_t clock, timespec* at) noexcept {
  const int result = static_cast<int>(syscall(SYS_clock_gettime, clock, at));
  if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) at->tv_sec += offset();
  return result;
}

extern "C" time_t time(time_t* at) noexcept {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  if (at) *at = now.tv_sec;
  return now.tv_sec;
}
