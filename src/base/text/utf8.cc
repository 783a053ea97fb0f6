#include "base/text/utf8.h"

#include <simdjson.h>

#include <array>

#include "base/characters/code_point.h"
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

}  // namespace

bool is_utf8(std::string_view text) {
  return simdjson::validate_utf8(text.data(), text.size());
}

std::string utf8_text(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size());
  while (!bytes.empty()) {
    const std::size_t length = first_character(bytes).bytes;
    text += length > 0 ? bytes.substr(0, length) : std::string_view("\xEF\xBF\xBD");
    bytes.remove_prefix(length > 0 ? length : 1);
  }
  return text;
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
