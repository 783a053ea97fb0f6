#include "base/engine/engine_version.h"

#include <time.h>

namespace glovebox::base {

EngineVersion engine_version() {
  return {GLOVEBOX_ENGINE_NODE, GLOVEBOX_ENGINE_V8, GLOVEBOX_ENGINE_RELEASED};
}

std::string_view engine_name() {
  return "node " GLOVEBOX_ENGINE_NODE;
}

std::optional<std::int64_t> days_since(std::string_view date, std::int64_t now_ms) {
  tm parts{};
  const std::string text(date);
  const char* end = ::strptime(text.c_str(), "%Y-%m-%d", &parts);
  if (!end || *end != '\0') return std::nullopt;
  constexpr std::int64_t kDay = 86'400;
  return now_ms / 1000 / kDay - static_cast<std::int64_t>(::timegm(&parts)) / kDay;
}

}  // namespace glovebox::base
