#include "agent_tools/answer/image_size.h"

namespace glovebox::agent_tools {
namespace {

std::uint32_t byte_at(std::string_view bytes, std::size_t place) {
  return place < bytes.size() ? static_cast<unsigned char>(bytes[place]) : 0;
}
std::uint32_t big_endian(std::string_view bytes, std::size_t place, int count) {
  std::uint32_t number = 0;
  for (int i = 0; i < count; ++i) number = number << 8 | byte_at(bytes, place + static_cast<std::size_t>(i));
  return number;
}
std::uint32_t little_endian(std::string_view bytes, std::size_t place, int count) {
  std::uint32_t number = 0;
  for (int i = count; i > 0; --i) number = number << 8 | byte_at(bytes, place + static_cast<std::size_t>(i) - 1);
  return number;
}

// Segments follow one another, each with its length; one of them says the size.
std::optional<ImageSize> jpeg_size(std::string_view bytes) {
  for (std::size_t at = 2; at + 9 < bytes.size() && byte_at(bytes, at) == 0xff;) {
    const std::uint32_t marker = byte_at(bytes, at + 1);
    const bool is_frame = marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc;
    if (is_frame) return ImageSize{big_endian(bytes, at + 7, 2), big_endian(bytes, at + 5, 2)};
    at += 2 + big_endian(bytes, at + 2, 2);
  }
  return std::nullopt;
}

std::optional<ImageSize> webp_size(std::string_view bytes) {
  const std::string_view kind = bytes.substr(12, 4);
  if (kind == "VP8X") return ImageSize{little_endian(bytes, 24, 3) + 1, little_endian(bytes, 27, 3) + 1};
  if (kind == "VP8 ") return ImageSize{little_endian(bytes, 26, 2) & 0x3fff, little_endian(bytes, 28, 2) & 0x3fff};
  if (kind != "VP8L") return std::nullopt;
  const std::uint32_t bits = little_endian(bytes, 21, 4);
  return ImageSize{(bits & 0x3fff) + 1, (bits >> 14 & 0x3fff) + 1};
}

}  // namespace

std::optional<ImageSize> image_size(std::string_view bytes) {
  if (bytes.size() < 10) return std::nullopt;
  if (bytes.starts_with("\x89PNG\r\n\x1a\n") && bytes.size() >= 24)
    return ImageSize{big_endian(bytes, 16, 4), big_endian(bytes, 20, 4)};
  if (bytes.starts_with("GIF8")) return ImageSize{little_endian(bytes, 6, 2), little_endian(bytes, 8, 2)};
  if (bytes.starts_with("\xff\xd8")) return jpeg_size(bytes);
  if (bytes.starts_with("RIFF") && bytes.size() >= 30 && bytes.substr(8, 4) == "WEBP") return webp_size(bytes);
  return std::nullopt;
}

}  // namespace glovebox::agent_tools
