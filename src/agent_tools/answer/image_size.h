// The dimensions of a picture, read from its first bytes: PNG, JPEG, GIF and WebP. The bytes are untrusted.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace glovebox::agent_tools {

struct ImageSize {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
};
std::optional<ImageSize> image_size(std::string_view bytes);

}  // namespace glovebox::agent_tools
