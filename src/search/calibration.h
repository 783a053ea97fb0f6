// From evidence to a score that means the same on three tools and on ten thousand: nothing here looks at other tools.
#pragma once

#include <string>
#include <vector>

#include "glovebox/result.h"
#include "search/encoder.h"

namespace glovebox::search {

// Where a model puts texts that have nothing to do with each other, and requests and the tools that serve them. Models
// differ much in this; the defaults are those of our own weights.
struct CosineScale {
  float unrelated = 0.005F;
  float related = 0.375F;
};

// By pairs of requests and tools, all in one call of the encoder. For any other model.
Result<CosineScale> measure_scale(Encoder& encoder);
// The same in two steps, for a model that does not answer at once: what it is to embed, and what its vectors say.
std::vector<std::string> scale_texts();
Result<CosineScale> scale_of(const std::vector<std::vector<float>>& vectors);

// A cosine of another model, where ours would have put it.
double common_cosine(double cosine, const CosineScale& scale);

// 0 to 1. `cosine` is the best of the request and its clauses, `coverage` that of LexicalIndex.
double score_of(double cosine, double coverage, const CosineScale& scale);
double score_of_words(double coverage);

}  // namespace glovebox::search
