// BM25F: how well words of a query match the fields of each tool, where a word in a name counts for more than one in a
// description, and rare words for more than common ones.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "search/text/spelling.h"
#include "search/tool_text.h"
#include "search/words.h"

namespace glovebox::search {

// One set for all catalogues, chosen on the dev halves of five public sets: bench/search_fit.cc.
struct LexicalConstants {
  static constexpr std::size_t kFields = 6;
  // Server, name, description, names of parameters, their descriptions, what the server says of itself.
  std::array<float, kFields> weights = {1.5F, 3.0F, 1.0F, 1.4F, 1.0F, 0.7F};
  // How much a field's length counts: in a long name each word says less, in a long description hardly so.
  std::array<float, kFields> lengths = {0.8F, 0.8F, 0.4F, 0.4F, 0.4F, 0.8F};
  float saturation = 1.7F;
};

class LexicalIndex {
 public:
  explicit LexicalIndex(const LexicalConstants& constants = {}) : constants_(constants) {}
  void set_constants(const LexicalConstants& constants) { constants_ = constants; }

  // `row` is small and dense: vectors are as long as the largest row. It must be free.
  void put(std::uint32_t row, const ToolText& tool);
  // All at once: each list of tools that have a word is read once, however many tools leave.
  void remove(std::span<const std::uint32_t> rows);

  struct Match {
    std::vector<float> score;     // BM25F, by row
    std::vector<float> coverage;  // 0 to 1, by row: how much of the query the tool has; comparable between catalogues
    float words = 0;              // what a coverage of 1 amounts to, in words of typical rarity
  };
  // Over all rows; 0 where there is no tool or no word in common. A word that no tool has counts as the nearest that
  // one has.
  Match match(std::string_view query, std::size_t rows) const;

  std::size_t bytes() const;  // approximate

 private:
  static constexpr std::size_t kFields = LexicalConstants::kFields;
  using Counts = std::array<std::uint8_t, kFields>;
  struct Posting {
    std::uint32_t row;
    Counts counts;
  };
  struct Row {
    std::array<std::uint16_t, kFields> lengths{};
    std::vector<std::uint32_t> terms;
    bool used = false;
  };

  std::uint32_t term_of(const std::string& word);
  void forget_unused_terms();
  // The indexed word that was probably meant by an unknown one; empty: it is known, says nothing, or nothing is
  // similar.
  std::string meant_by(const std::string& word, const std::string& stem) const;

  LexicalConstants constants_;
  Words words_;
  // Sorted: a server that chooses the words could choose ones that a hash table puts into one place.
  std::map<std::string, std::uint32_t> term_ids_;
  std::map<std::string, std::uint32_t> spellings_;  // words to terms, to avoid repeated stemming
  Spelling spelling_;                               // of all words that were ever added
  std::vector<std::vector<Posting>> postings_;      // by term
  std::vector<std::uint32_t> free_terms_;           // positions in it
  std::vector<Row> rows_;
  std::array<std::uint64_t, kFields> total_lengths_{};
  std::size_t used_rows_ = 0;
};

}  // namespace glovebox::search
