// Parses durations, sizes and instants as people type them.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "glovebox/result.h"

namespace glovebox::cli {

// 500ms, 30s, 5m, 1h; a bare number is milliseconds.
Result<std::chrono::milliseconds> parse_duration(const std::string& text);
// 64MB, 512KB, 1GB (powers of 1024); a bare number is bytes.
Result<std::size_t> parse_size(const std::string& text);
// 2026-01-31T12:00:00Z, 2026-01-31, or milliseconds since 1970.
Result<std::int64_t> parse_instant(const std::string& text);

}  // namespace glovebox::cli
