#include "base/wall_clock.h"

#include <time.h>

#include <chrono>

namespace glovebox::base {

std::int64_t now_ms() {
  using std::chrono::system_clock;
  return std::chrono::duration_cast<std::chrono::milliseconds>(system_clock::now().time_since_epoch()).count();
}

std::string iso_time(std::int64_t milliseconds) {
  std::string text = iso_seconds(milliseconds);
  const std::string fraction = std::to_string(1000 + milliseconds % 1000);
  return text.replace(text.size() - 1, 1, "." + fraction.substr(1) + "Z");
}

std::string iso_seconds(std::int64_t milliseconds) {
  const time_t seconds = static_cast<time_t>(milliseconds / 1000);
  tm parts{};
  ::gmtime_r(&seconds, &parts);
  char text[64];
  return std::string(text, ::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts));
}

}  // namespace glovebox::base
