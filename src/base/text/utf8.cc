#include "base/text/utf8.h"

#include <simdjson.h>

#include <array>
#include <cstdint>

#include "base/text/json_text.h"

namespace glovebox::base {
namespace {

// ASCII that stands for itself in a JSON string.
constexpr auto kPlain = [] {
  std::array<bool, 256> plain{};
  for (std::size_t c = ' '; c < 0x7f; ++c) plain[c] = c != '"' && c != '\\';
  return plain;
}();

// Most keys and names are: for so few bytes, two steps that are made for long texts take twice as long.
bool is_short_and_plain(std::string_view text) {
  constexpr std::size_t kShortBytes = 64;
  if (text.size() > kShortBytes) return false;
  bool plain = true;
  for (const char c : text) plain &= kPlain[static_cast<unsigned char>(c)];
  return plain;
}

// The length of the well-formed character at the start of `text`; 0 when there is none.
std::size_t character_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xF0 && lead <= 0xF4  ? 4
                             : lead >= 0xE0 && lead < 0xF0 ? 3
                             : lead >= 0xC2 && lead < 0xE0 ? 2
                                                           : 0;
  if (length == 0 || text.size() < length) return 0;
  std::uint32_t code = lead & (0x7FU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if (byte(i) >> 6 != 2) return 0;
    code = code << 6 | (byte(i) & 0x3FU);
  }
  const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  return overlong || surrogate || code > 0x10FFFF ? 0 : length;
}

}  // namespace

bool is_utf8(std::string_view text) {
  return simdjson::validate_utf8(text.data(), text.size());
}

std::string utf8_text(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size());
  while (!bytes.empty()) {
    const std::size_t length = character_length(bytes);
    text += length > 0 ? bytes.substr(0, length) : std::string_view("\xEF\xBF\xBD");
    bytes.remove_prefix(length > 0 ? length : 1);
  }
  return text;
}

std::string_view beginning_of(std::string_view text, std::size_t most) {
  if (text.size() <= most) return text;
  while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xc0) == 0x80) --most;
  return text.substr(0, most);
}

void append_json_text(std::string& out, std::string_view text) {
  if (is_short_and_plain(text)) {
    out += '"';
    out += text;
    out += '"';
    return;
  }
  if (is_utf8(text)) return append_json_string(out, text);
  std::string clean(text);
  for (char& c : clean) {
    if (static_cast<unsigned char>(c) >= 0x80) c = '?';
  }
  append_json_string(out, clean);
}

std::string json_text(std::string_view text) {
  std::string out;
  out.reserve(text.size() + 2);
  append_json_text(out, text);
  return out;
}

}  // namespace glovebox::base
