#include "frontend/cli/quantities.h"

#include <time.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <optional>
#include <span>
#include <string_view>

namespace glovebox::frontend {
namespace {

struct Unit {
  std::string_view name;
  double factor;
};

std::optional<double> parse_with_unit(const std::string& text, std::span<const Unit> units) {
  if (text.empty() || !(text[0] >= '0' && text[0] <= '9')) return std::nullopt;
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  if (!std::isfinite(number)) return std::nullopt;
  for (const Unit& unit : units) {
    if (unit.name == end) return number * unit.factor;
  }
  return std::nullopt;
}

constexpr Unit kTimeUnits[] = {{"", 1}, {"ms", 1}, {"s", 1000}, {"m", 60'000}, {"h", 3'600'000}};
constexpr Unit kSizeUnits[] = {{"", 1},           {"B", 1},           {"KB", 1024},      {"K", 1024},
                               {"MB", 1048576},   {"M", 1048576},     {"GB", 1073741824}, {"G", 1073741824},
                               {"KiB", 1024},     {"MiB", 1048576},   {"GiB", 1073741824}};

Failure unclear(const char* what, const std::string& text, const char* examples) {
  return {ErrorCode::kInvalidArgument, std::string(what) + " \"" + text + "\" is not understood; write it like " + examples};
}

}  // namespace

Result<std::chrono::milliseconds> parse_duration(const std::string& text) {
  const auto value = parse_with_unit(text, kTimeUnits);
  if (!value || *value < 1 || *value > 1e12) return unclear("the duration", text, "500ms, 30s or 5m");
  return std::chrono::milliseconds(static_cast<std::int64_t>(*value));
}

Result<std::size_t> parse_size(const std::string& text) {
  const auto value = parse_with_unit(text, kSizeUnits);
  if (!value || *value < 1 || *value > 1e15) return unclear("the size", text, "64MB, 512KB or 1GB");
  return static_cast<std::size_t>(*value);
}

Result<std::int64_t> parse_instant(const std::string& text) {
  constexpr const char* kExamples = "2026-01-31T12:00:00Z or 1769860800000 (milliseconds since 1970)";
  const bool digits_only = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
  if (digits_only) {
    const auto value = std::strtoll(text.c_str(), nullptr, 10);
    if (value > 8'640'000'000'000'000) return unclear("the instant", text, kExamples);
    return static_cast<std::int64_t>(value);
  }
  for (const char* format : {"%Y-%m-%dT%H:%M:%SZ", "%Y-%m-%dT%H:%MZ", "%Y-%m-%d"}) {
    tm parts{};
    const char* end = ::strptime(text.c_str(), format, &parts);
    if (end && *end == '\0') return static_cast<std::int64_t>(::timegm(&parts)) * 1000;
    // Milliseconds, as Date.prototype.toISOString writes them.
    if (end == nullptr && std::string_view(format).ends_with("%SZ")) {
      end = ::strptime(text.c_str(), "%Y-%m-%dT%H:%M:%S", &parts);
      if (end && std::strlen(end) == 5 && end[0] == '.' && end[4] == 'Z') {
        return static_cast<std::int64_t>(::timegm(&parts)) * 1000 + std::strtol(end + 1, nullptr, 10);
      }
    }
  }
  return unclear("the instant", text, kExamples);
}

}  // namespace glovebox::frontend
