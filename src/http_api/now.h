#pragma once

#include <chrono>
#include <cstdint>

namespace glovebox::http_api {

// Milliseconds since 1970.
inline std::int64_t now_ms() {
  using std::chrono::system_clock;
  return std::chrono::duration_cast<std::chrono::milliseconds>(system_clock::now().time_since_epoch()).count();
}

}  // namespace glovebox::http_api
