#include "catalog/offers/server_message.h"

#include <algorithm>
#include <array>

#include "base/text/json_slice.h"
#include "catalog/plain_text.h"
#include "mcp/limits.h"

namespace glovebox::catalog {
namespace {

constexpr std::size_t kMostMessageBytes = 4096;
constexpr std::array kLevels = {"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"};

}  // namespace

std::optional<ServerMessage> read_message(std::string_view params) {
  const auto members = base::JsonSlices::of(params, {.max_depth = mcp::kMaxMessageDepth});
  if (!members || !members->has("data")) return std::nullopt;
  ServerMessage message;
  message.level = members->text("level");
  if (std::find(kLevels.begin(), kLevels.end(), message.level) == kLevels.end()) return std::nullopt;
  const std::string_view data = members->raw("data");
  const auto text = data.starts_with('"') ? base::unquote(data) : Result<std::string>(std::string(data));
  if (!text) return std::nullopt;
  message.text = plain_text(*text, kMostMessageBytes);
  return message;
}

}  // namespace glovebox::catalog
