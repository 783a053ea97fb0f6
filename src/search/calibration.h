// From evidence to a score that means the same on ten tools and on ten thousand: how likely it is that a tool serves,
// and did not come close by being one of many. Nothing here depends on other tools.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "glovebox/result.h"
#include "search/encoder/encoder.h"

namespace glovebox::search {

// Where a model puts texts that have nothing to do with each other, and requests and the tools that serve them. Models
// differ much in this; the defaults are those of our own weights.
struct CosineScale {
  float unrelated = 0.005F;
  float related = 0.375F;
  bool is_ours = true;  // the nature of a request can be told from its vector
};

// By pairs of requests and tools, all in one call of the encoder; that of our own weights is known.
Result<CosineScale> measure_scale(Encoder& encoder);
// The same in two steps, for a model that does not answer at once: what it is to embed, and what its vectors say.
std::vector<std::string> scale_texts();
Result<CosineScale> scale_of(const std::vector<std::vector<float>>& vectors);

// A cosine of another model, where ours would have put it.
double common_cosine(double cosine, const CosineScale& scale);

// What is known of a request and one tool.
struct Closeness {
  double cosine;      // the best of the request and its clauses
  double coverage;    // that of LexicalIndex
  double doubt = 0;   // 0 to 1, see doubt_of()
  std::size_t tools;  // how many there are to be found
};

// 0 to 1.
double score_of(const Closeness& known, const CosineScale& scale);
double score_of_words(double coverage);

}  // namespace glovebox::search
