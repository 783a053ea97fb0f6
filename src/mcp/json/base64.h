// Base64, strict: one text per value, so that compared values cannot be encoded in two ways.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace glovebox::mcp {

std::string base64(std::string_view bytes);
std::string base64_url(std::string_view bytes);  // no padding

std::optional<std::string> from_base64(std::string_view text);
std::optional<std::string> from_base64_url(std::string_view text);

}  // namespace glovebox::mcp
