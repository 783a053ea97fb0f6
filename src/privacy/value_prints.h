// Which values of one JSON text come up in another: prints of what is distinctive in it, so that a megabyte need not be
// kept to know its words again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <unordered_set>

namespace glovebox::privacy {

class ValuePrints {
 public:
  // Remembers the values of `json`; names of members are not values.
  void add(std::string_view json);
  // Whether a value of `json` was among them: a word with a digit or an @, a long word, or two words in a row.
  bool overlap(std::string_view json) const;
  // Nothing is known of what was read: everything may be.
  void add_anything() { anything_ = true; }

 private:
  std::unordered_set<std::uint64_t> prints_;
  bool anything_ = false;
};

}  // namespace glovebox::privacy
