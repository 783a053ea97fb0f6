// An answer gives a value twice: as JSON, and as the text of an earlier string. The text is made last, from what is
// left of the JSON by then, so that a filter reads the value once.
#pragma once

#include <cstddef>
#include <string>

namespace glovebox::base {

struct TwiceSaid {
  std::size_t text = 0;   // where the text goes: within the quotes of a string that is still empty
  std::size_t begin = 0;  // of the value, after it
  std::size_t end = 0;
};

std::string with_text(std::string json, const TwiceSaid& places);

}  // namespace glovebox::base
