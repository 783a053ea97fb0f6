#include "catalog/plain_text.h"

namespace glovebox::catalog {
namespace {

// The length of the character that `text` begins with; zero when it is invalid.
std::size_t character(std::string_view text) {
  const auto at = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = at(0);
  const std::size_t size = lead < 0x80                   ? 1
                           : lead >= 0xc2 && lead < 0xe0 ? 2
                           : (lead & 0xf0) == 0xe0       ? 3
                           : lead >= 0xf0 && lead < 0xf5 ? 4
                                                         : 0;
  if (size == 0 || size > text.size()) return 0;
  for (std::size_t i = 1; i < size; ++i)
    if ((at(i) & 0xc0) != 0x80) return 0;
  // An overlong form, half a surrogate pair, or beyond the last code point.
  if (lead == 0xe0 && at(1) < 0xa0) return 0;
  if (lead == 0xed && at(1) >= 0xa0) return 0;
  if (lead == 0xf0 && at(1) < 0x90) return 0;
  if (lead == 0xf4 && at(1) >= 0x90) return 0;
  return size;
}

}  // namespace

std::string plain_text(std::string_view text, std::size_t most_bytes) {
  std::string out;
  while (!text.empty()) {
    const std::size_t size = character(text);
    const std::string_view next = size > 0 ? text.substr(0, size) : std::string_view("\xef\xbf\xbd");
    if (out.size() + next.size() > most_bytes) return out + "…";
    out += next;
    text.remove_prefix(size > 0 ? size : 1);
  }
  return out;
}

}  // namespace glovebox::catalog
