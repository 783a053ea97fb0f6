#include "calls/net/byte_string.h"

namespace glovebox::calls {

std::optional<std::string> bytes_of_text(std::string_view utf8) {
  std::string bytes;
  bytes.reserve(utf8.size());
  for (std::size_t at = 0; at < utf8.size(); ++at) {
    const auto first = static_cast<unsigned char>(utf8[at]);
    if (first < 0x80) {
      bytes += utf8[at];
    } else if ((first == 0xc2 || first == 0xc3) && at + 1 < utf8.size()) {
      bytes += static_cast<char>((first & 0x03) << 6 | (static_cast<unsigned char>(utf8[++at]) & 0x3f));
    } else {
      return std::nullopt;
    }
  }
  return bytes;
}

std::string text_of_bytes(std::string_view bytes) {
  std::string utf8;
  utf8.reserve(bytes.size());
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) {
      utf8 += c;
    } else {
      utf8 += {static_cast<char>(0xc0 | byte >> 6), static_cast<char>(0x80 | (byte & 0x3f))};
    }
  }
  return utf8;
}

}  // namespace glovebox::calls
