// What searches take while a new catalogue is embedded for the first time, and how long that lasts.
#pragma once

#include <cstddef>
#include <string>

namespace glovebox::bench {

int measure_cold(const std::string& folder, std::size_t tools);

}  // namespace glovebox::bench
