#include "base/wall_clock.h"

#include <time.h>

#include <chrono>
#include <cstdio>

namespace glovebox::base {

std::int64_t now_ms() {
  using std::chrono::system_clock;
  return std::chrono::duration_cast<std::chrono::milliseconds>(system_clock::now().time_since_epoch()).count();
}

std::string iso_time(std::int64_t milliseconds) {
  const time_t seconds = static_cast<time_t>(milliseconds / 1000);
  tm parts{};
  ::gmtime_r(&seconds, &parts);
  char date[32];
  const std::size_t length = ::strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%S", &parts);
  char rest[16];
  std::snprintf(rest, sizeof rest, ".%03dZ", static_cast<int>(milliseconds % 1000));
  return std::string(date, length) + rest;
}

}  // namespace glovebox::base
