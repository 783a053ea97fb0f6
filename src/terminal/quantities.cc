#include "terminal/quantities.h"

#include <time.h>

#include <charconv>
#include <cstdlib>
#include <optional>
#include <span>
#include <string_view>

#include "base/characters/ascii.h"

namespace glovebox::cli {
namespace {

struct Unit {
  std::string_view name;
  double factor;
};

std::optional<double> parse_with_unit(std::string_view text, std::span<const Unit> units) {
  const std::string_view digits = text.substr(0, text.find_first_not_of("0123456789."));
  double number = 0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), number, std::chars_format::fixed);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  for (const Unit& unit : units) {
    if (unit.name == text.substr(digits.size())) return number * unit.factor;
  }
  return std::nullopt;
}

// Whether `text` has the shape of `pattern`, in which a `d` stands for any digit.
bool has_shape(std::string_view text, std::string_view pattern) {
  if (text.size() != pattern.size()) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (pattern[i] == 'd' ? !base::is_digit(text[i]) : text[i] != pattern[i]) return false;
  }
  return true;
}

std::optional<std::int64_t> parse_iso_8601(const std::string& text) {
  const bool to_the_day = has_shape(text, "dddd-dd-dd");
  const bool to_the_minute = has_shape(text, "dddd-dd-ddTdd:ddZ");
  const bool to_the_second = has_shape(text, "dddd-dd-ddTdd:dd:ddZ");
  const bool to_the_millisecond = has_shape(text, "dddd-dd-ddTdd:dd:dd.dddZ");
  if (!to_the_day && !to_the_minute && !to_the_second && !to_the_millisecond) return std::nullopt;
  const auto number = [&](std::size_t at, std::size_t digits) { return std::atoi(text.substr(at, digits).c_str()); };
  tm parts{};
  parts.tm_year = number(0, 4) - 1900;
  parts.tm_mon = number(5, 2) - 1;
  parts.tm_mday = number(8, 2);
  if (!to_the_day) {
    parts.tm_hour = number(11, 2);
    parts.tm_min = number(14, 2);
  }
  if (to_the_second || to_the_millisecond) parts.tm_sec = number(17, 2);
  const tm typed = parts;
  const std::int64_t seconds = ::timegm(&parts);
  // timegm carries a 30th of February over into March; the user meant something else.
  if (parts.tm_mon != typed.tm_mon || parts.tm_mday != typed.tm_mday || parts.tm_hour != typed.tm_hour ||
      parts.tm_min != typed.tm_min || parts.tm_sec != typed.tm_sec) {
    return std::nullopt;
  }
  return seconds * 1000 + (to_the_millisecond ? number(20, 3) : 0);
}

constexpr Unit kTimeUnits[] = {{"ms", 1}, {"s", 1000}, {"m", 60'000}, {"h", 3'600'000}};
constexpr Unit kSizeUnits[] = {{"", 1},         {"B", 1},         {"KB", 1024},       {"K", 1024},
                               {"MB", 1048576}, {"M", 1048576},   {"GB", 1073741824}, {"G", 1073741824},
                               {"KiB", 1024},   {"MiB", 1048576}, {"GiB", 1073741824}};

Failure unclear(const char* what, const std::string& text, const char* examples) {
  return {ErrorCode::kInvalidArgument,
          std::string(what) + " \"" + text + "\" is not understood; write it like " + examples};
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
  if (base::is_number(text)) {
    const auto value = std::strtoll(text.c_str(), nullptr, 10);
    if (value > 8'640'000'000'000'000) return unclear("the time", text, kExamples);
    return static_cast<std::int64_t>(value);
  }
  if (const auto instant = parse_iso_8601(text)) return *instant;
  return unclear("the time", text, kExamples);
}

}  // namespace glovebox::cli
