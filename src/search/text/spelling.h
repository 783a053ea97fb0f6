// Words that are meant when another one is written: those of the index that are one or two typing errors away.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace glovebox::search {

// Each word is filed under itself and under what is left when one of its letters is left out (SymSpell); what is looked
// up is cut in the same way, and what meets is compared letter by letter. So a lookup takes as long as the word is, not
// as long as the list.
class Spelling {
 public:
  // Words of 4 letters a to z and more; others, and those beyond a bound on all of them, are not taken.
  void add(std::string_view word);
  // The nearest, the one that was added first among equals; nothing for a word that is too short to be sure of. Words
  // that are there are not to be asked for.
  std::optional<std::string> nearest(std::string_view word) const;
  std::size_t bytes() const;  // about

 private:
  std::vector<std::string> words_;
  std::unordered_multimap<std::uint64_t, std::uint32_t> cuts_;  // hashes of what is left to places in words_
};

// Insertions, deletions, replacements and swaps of neighbours; more than `most` is most + 1.
std::size_t typing_errors(std::string_view a, std::string_view b, std::size_t most);

}  // namespace glovebox::search
