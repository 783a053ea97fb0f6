// Positions in a text in characters.
#pragma once

#include <cstddef>
#include <string_view>

namespace glovebox::privacy {

// Counts characters up to positions that are requested in ascending order, in one pass over the text.
class CodePointCounter {
 public:
  explicit CodePointCounter(std::string_view text) : text_(text) {}

  std::size_t before(std::size_t byte) {
    for (; byte_ < byte && byte_ < text_.size(); ++byte_)
      characters_ += (static_cast<unsigned char>(text_[byte_]) & 0xc0) != 0x80;
    return characters_;
  }

 private:
  std::string_view text_;
  std::size_t byte_ = 0;
  std::size_t characters_ = 0;
};

}  // namespace glovebox::privacy
