// The version of the engine that runs code: that of the npm package that this program was built with.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace glovebox::base {

struct EngineVersion {
  std::string_view node;
  std::string_view v8;
  std::string_view released;  // 2026-09-22; empty: the package does not say
};
EngineVersion engine_version();
// "node 26.10.0". The version of V8 resembles an IP address, which a filter of private data would take it for.
std::string_view engine_name();

// From a date to a time in milliseconds since 1970; nothing when it is no date.
std::optional<std::int64_t> days_since(std::string_view date, std::int64_t now_ms);

}  // namespace glovebox::base
