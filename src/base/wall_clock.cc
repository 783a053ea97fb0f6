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
  char text[128];
  const int length =
      std::snprintf(text, sizeof text, "%d-%02d-%02dT%02d:%02d:%02d.%03dZ", parts.tm_year + 1900, parts.tm_mon + 1,
                    parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec, static_cast<int>(milliseconds % 1000));
  return std::string(text, static_cast<std::size_t>(length));
}

}  // namespace glovebox::base
