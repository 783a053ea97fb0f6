// Two opinions about every tool become one: words that match, and meanings that are close.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "search/lexical_index.h"

namespace glovebox::search {

// One set for all catalogues, tuned on the dev halves of five public sets: docs/benchmarks.md.
struct FusionConstants {
  // The share of words, the rest is meaning, where some tool has so many of the request's words, rare ones counted in
  // full. Where the best has fewer, words say little, and their share falls with the square: one shared common word
  // does not outweigh meaning.
  float lexical = 0.40F;
  float telling_words = 1.5F;
  float clause_penalty = 0.2F;  // a clause is torn from its context, so the whole request has a start on it
};

// What is known of all tools for one text: the whole request, or a clause of it.
struct Evidence {
  LexicalIndex::Match words;       // by row; of the whole request only
  std::span<const float> cosines;  // by row; empty without vectors
};

struct Ranked {
  std::uint32_t row;
  float rank;        // what tools are ordered by; means nothing across queries
  std::size_t text;  // the text that speaks for it most
};

// `rows` are those that hold a tool; others do not count. Not sorted.
std::vector<Ranked> fuse(const std::vector<Evidence>& texts, std::span<const std::uint32_t> rows,
                         const FusionConstants& constants = {});

}  // namespace glovebox::search
