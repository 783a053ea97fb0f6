#include "base/text/hex.h"

namespace glovebox::base {
namespace {

constexpr char kDigits[] = "0123456789abcdef";

}  // namespace

std::string hex(std::span<const std::uint8_t> bytes) {
  std::string text;
  text.reserve(bytes.size() * 2);
  for (const std::uint8_t byte : bytes) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

std::string hex(std::string_view bytes) {
  return hex(std::span(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()));
}

std::string hex_number(std::uint64_t number, int digits) {
  std::string text(static_cast<std::size_t>(digits), '0');
  for (auto digit = text.rbegin(); digit != text.rend(); ++digit, number >>= 4) *digit = kDigits[number & 15];
  return text;
}

}  // namespace glovebox::base
