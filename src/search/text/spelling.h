// Corrections of misspelled words: those of the index that are one or two typing errors away.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace glovebox::search {

// Each word is indexed under itself and under every result of leaving out one of its letters (SymSpell); a query is cut
// in the same way, and candidates are compared letter by letter. So a lookup takes time in proportion to the word, not
// to the list.
class Spelling {
 public:
  // Words of 4 or more letters a to z; others, and those beyond a limit on all of them, are ignored.
  void add(std::string_view word);
  // The nearest, the one added first among equals; nothing for a word that is too short to be sure. Must not be called
  // with a word that was added.
  std::optional<std::string> nearest(std::string_view word) const;
  std::size_t bytes() const;  // approximate

 private:
  bool has(std::string_view word) const;

  std::vector<std::string> words_;
  std::unordered_multimap<std::uint64_t, std::uint32_t> cuts_;  // hashes of the cut words to positions in words_
};

// Insertions, deletions, replacements and swaps of neighbours; more than `most` is most + 1.
std::size_t typing_errors(std::string_view a, std::string_view b, std::size_t most);

}  // namespace glovebox::search
