// Values that are recognized within a longer text, whatever is before and after them and between their letters and
// digits. Linear in the text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace glovebox::privacy {

class GluedValues {
 public:
  // Shorter ones occur in texts by coincidence.
  static constexpr std::size_t kShortest = 8;
  // Of a longer one, only this much is compared.
  static constexpr std::size_t kLongest = 63;

  // `value` as letters_and_digits() returns it; one shorter than kShortest is ignored.
  void add(std::string_view value);
  // Whether one of them is in `text`, which need not be normalized.
  bool occur_in(std::string_view text) const;
  std::size_t size() const { return values_.size(); }
  void clear();

 private:
  // By the hash of the first kShortest characters: which lengths there are, as bits.
  std::unordered_map<std::uint64_t, std::uint64_t> lengths_;
  std::unordered_set<std::uint64_t> values_;  // by length and hash
  std::vector<bool> may_begin_;               // a quick test before lengths_ is searched
};

// Lower case, without anything that is neither a letter nor a digit.
std::string letters_and_digits(std::string_view text);

}  // namespace glovebox::privacy
