// An intent as search takes it: the whole, and the clauses that each name a need of their own.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "glovebox/result.h"
#include "search/encoder/encoder.h"

namespace glovebox::search {

struct Query {
  std::string text;                         // without what it says is not wanted
  std::vector<std::string> clauses;         // none when the text is one need
  std::vector<std::vector<float>> vectors;  // of the text, then of each clause; none: words alone decide
};

// Cuts a request into clauses; long ones are cut to what a person would still read.
Query split_query(std::string_view intent);

// What is embedded for it, in the order of its vectors.
std::vector<std::string> texts_of(const Query& query);

// Fills in the vectors, all in one pass of the encoder.
Result<void> embed_query(Query& query, Encoder& encoder);

}  // namespace glovebox::search
