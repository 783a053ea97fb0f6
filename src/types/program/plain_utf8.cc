// base/text/utf8.h for a program that is linked statically: simdjson, which base uses, comes as a shared library only.
#include "base/text/utf8.h"

#include "types/shown_text.h"

namespace glovebox::base {

bool is_utf8(std::string_view text) {
  constexpr char32_t kReplacement = 0xfffd;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    // A byte that is no UTF-8 reads as this character, which itself has three.
    if (types::next_point(text, at) == kReplacement && at != begin + 3) return false;
  }
  return true;
}

}  // namespace glovebox::base
