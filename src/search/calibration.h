// From evidence to a score that means the same on ten tools and on ten thousand: how likely it is that a tool serves,
// and is not close merely because there are many. Nothing here depends on other tools.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "glovebox/result.h"
#include "search/encoder/encoder.h"

namespace glovebox::search {

// Where a model puts unrelated texts, and requests and the tools that serve them. Models differ much in this; the
// defaults are those of our own weights.
struct CosineScale {
  float unrelated = 0.005F;
  float related = 0.375F;
  bool is_ours = true;  // the nature of a request can be derived from its vector
};

// Measured with pairs of requests and tools, all in one call of the encoder; that of our own weights is known.
Result<CosineScale> measure_scale(Encoder& encoder);
// The same in two steps, for an asynchronous model: the texts to embed, and the scale from their vectors.
std::vector<std::string> scale_texts();
Result<CosineScale> scale_of(const std::vector<std::vector<float>>& vectors);

// A cosine of another model, mapped to our scale.
double common_cosine(double cosine, const CosineScale& scale);

// What is known about a request and one tool.
struct Closeness {
  double cosine;           // the best of the request and its clauses
  double coverage;         // that of LexicalIndex
  double doubt = 0;        // that of the request, see doubt_of()
  std::size_t tools = 0;   // how many tools there are
  bool is_clause = false;  // the cosine is a clause's
  double software = 0;     // how close that text comes to something that software is known to do: known_software()
  double same = 0;         // how close the tool comes to that
};

// The border between what fits and what does not, chosen on the dev halves of five public sets, whole and as small
// catalogues sampled from them, and on requests that no tool serves: bench/search_border.cc. Figures are in
// docs/benchmarks.md.
struct MarkConstants {
  double per_coverage = 0.5;  // weight of a share of words beside a cosine
  // A tool that does what is asked comes about as close to what software is known to do as the request; a request that
  // comes much closer to it is for software that is missing.
  double per_software = 0.8;
  double software_from = 0.35;
  double border = 0.18;  // of evidence, for a request that programs serve
  // Added for a request of which that is doubtful. Among more tools one comes closer by accident: the largest of n
  // random cosines grows with the logarithm of n. What programs serve comes closer to the right tool than to those.
  double per_doubt = 0.06;
  double per_doubt_and_crowd = 0.016;
};

// What speaks for the tool: a cosine on our scale, more where words match too, and less where software in general comes
// closer.
double evidence_of(const Closeness& known, const CosineScale& scale, const MarkConstants& constants = {});
// What it is compared with.
double border_of(double doubt, std::size_t tools, const MarkConstants& constants = {});

// 0 to 1.
double score_of(const Closeness& known, const CosineScale& scale);
double score_of_words(double coverage);

}  // namespace glovebox::search
