// Which values of one JSON text occur in another: fingerprints of what is distinctive in it, so that a megabyte need
// not be kept to recognise its words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <unordered_set>

#include "privacy/flows/glued_values.h"

namespace glovebox::privacy {

class ValuePrints {
 public:
  // Remembers the values of `json`, and those names of members that are data: a mail address, a number.
  void add(std::string_view json);
  // Remembers one value as a whole, whatever is between its letters and digits.
  void add_value(std::string_view value);
  // Whether a value or a name of a member of `json` was among them, alone or within a longer text: a word with a digit
  // or an @, a long word, or two words in a row. Values too short for GluedValues only match alone. Longer ones are
  // also found in pieces, if these are values of `json` in their order.
  bool overlap(std::string_view json) const;
  // What was read is unknown: every value counts as seen.
  void add_anything() { anything_ = true; }

 private:
  std::unordered_set<std::uint64_t> prints_;
  GluedValues glued_;
  bool anything_ = false;
};

}  // namespace glovebox::privacy
