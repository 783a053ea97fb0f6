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

std::string json_text(std::string_view text) {
  if (is_utf8(text)) return json_string(text);
  std::string clean(text);
  for (char& c : clean) {
    if (static_cast<unsigned char>(c) >= 0x80) c = '?';
  }
  return json_string(clean);
}

}  // namespace glovebox::base
