// Combines two rankings of every tool: matching words, and similar meaning.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "search/lexical_index.h"

namespace glovebox::search {

// One set for all catalogues, chosen on the dev halves of five public sets: bench/search_fit.cc.
struct FusionConstants {
  // The weight of words, the rest is meaning, where some tool has this many of the request's words, rare ones counted
  // in full. Where the best has fewer, words say little, and their weight falls with the square: one shared common word
  // does not outweigh meaning.
  float lexical = 0.40F;
  float telling_words = 1.5F;
  float clause_penalty = 0.2F;  // a clause lacks its context, so the whole request has an advantage over it
  float crowding = 0.1F;        // subtracted from a clause's second tool, twice from its third
};

// What is known about all tools for one text: the whole request, or a clause of it.
struct Evidence {
  LexicalIndex::Match words;       // by row; of the whole request only
  std::span<const float> cosines;  // by row; empty without vectors
};

struct Ranked {
  std::uint32_t row;
  float rank;        // tools are ordered by it; not comparable across queries
  std::size_t text;  // the text that supports it most
};

// `rows` are those that hold a tool; others do not count. Not sorted.
std::vector<Ranked> fuse(const std::vector<Evidence>& texts, std::span<const std::uint32_t> rows,
                         const FusionConstants& constants = {});

}  // namespace glovebox::search
