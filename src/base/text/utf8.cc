#include "base/text/utf8.h"

#include <simdjson.h>

#include "base/text/json_text.h"

namespace glovebox::base {

bool is_utf8(std::string_view text) {
  return simdjson::validate_utf8(text.data(), text.size());
}

std::string_view beginning_of(std::string_view text, std::size_t most) {
  if (text.size() <= most) return text;
  while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xc0) == 0x80) --most;
  return text.substr(0, most);
}

void append_json_text(std::string& out, std::string_view text) {
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
