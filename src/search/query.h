// An intent in the form that search uses: the whole, and the clauses that each name a need of their own.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "glovebox/result.h"
#include "search/encoder/encoder.h"

namespace glovebox::search {

struct Query {
  std::string text;                         // without the parts that it negates
  std::vector<std::string> clauses;         // none when the text is a single need
  std::vector<std::vector<float>> vectors;  // of the text, then of each clause; none: words alone decide
};

// From this many clauses on, the text's vector is the mean of theirs: nothing is encoded twice, and nothing of a long
// request is cut off.
inline constexpr std::size_t kManyClauses = 3;

// Splits a request into clauses; long requests are cut.
Query split_query(std::string_view intent);

// The texts to embed for it.
std::vector<std::string> texts_of(const Query& query);

// Fills in the vectors from those of texts_of(), in that order.
void set_vectors(Query& query, std::vector<std::vector<float>> made);

// All of it in one pass of the encoder.
Result<void> embed_query(Query& query, Encoder& encoder);

}  // namespace glovebox::search
