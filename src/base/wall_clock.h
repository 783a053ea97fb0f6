// The time of day, as it is stored and displayed.
#pragma once

#include <cstdint>
#include <string>

namespace glovebox::base {

// Milliseconds since 1970.
std::int64_t now_ms();
// 2026-11-15T16:07:31.123Z
std::string iso_time(std::int64_t milliseconds_since_1970);
// 2026-11-15T16:07:31Z
std::string iso_seconds(std::int64_t milliseconds_since_1970);

}  // namespace glovebox::base
