// 8-4-4-4-12 hexadecimal digits: not anyone's number.
#pragma once

#include "privacy/characters.h"

namespace glovebox::privacy {

// The end of the UUID that begins at `at`; `at` if none does.
inline std::size_t uuid_end(std::string_view text, std::size_t at) {
  constexpr std::size_t kGroups[] = {8, 4, 4, 4, 12};
  std::size_t position = at;
  for (std::size_t i = 0; i < 5; ++i) {
    if (i > 0 && privacy::at(text, position++) != '-') return at;
    for (std::size_t n = 0; n < kGroups[i]; ++n)
      if (!is_hex(privacy::at(text, position++))) return at;
  }
  return is_word(privacy::at(text, position)) ? at : position;
}

}  // namespace glovebox::privacy
