// base/text/utf8.h for a program that is linked statically: simdjson, which base uses, comes as a shared library only.
#include "base/text/utf8.h"

#include "base/characters/code_point.h"

namespace glovebox::base {

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t bytes = first_character(text).bytes;
    if (bytes == 0) return false;
    text.remove_prefix(bytes);
  }
  return true;
}

}  // namespace glovebox::base
