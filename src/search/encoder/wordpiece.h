// BERT's tokenizer: lower case, no accents, words split into the longest pieces of the vocabulary.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "glovebox/result.h"

namespace glovebox::search {

class WordPiece {
 public:
  // From a tokenizer.json; `vocabulary` is the most pieces that it may have.
  static Result<WordPiece> open(const std::string& path, std::size_t vocabulary);

  // [CLS] … [SEP], `most` tokens at most. Only as much of the text is read as fits.
  std::vector<std::uint32_t> tokens(std::string_view text, std::size_t most) const;

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };
  using Pieces = std::unordered_map<std::string, std::uint32_t, Hash, std::equal_to<>>;

  void add_word(std::string_view word, std::size_t most, std::vector<std::uint32_t>& out) const;

  Pieces begins_;     // pieces that begin a word
  Pieces continues_;  // the others, without their ##
  std::uint32_t unknown_ = 0;
  std::uint32_t first_ = 0;
  std::uint32_t last_ = 0;
};

}  // namespace glovebox::search
