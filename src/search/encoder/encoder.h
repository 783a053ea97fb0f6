// From a text to a vector: texts that mean the same are close together.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "glovebox/result.h"

namespace glovebox::search {

// One thread at a time may use an encoder.
class Encoder {
 public:
  virtual ~Encoder() = default;

  // Identifies weights and arithmetic: vectors of another model() are not comparable.
  virtual std::string model() const = 0;
  virtual std::size_t dimensions() const = 0;
  // For another thread; the weights are shared.
  virtual std::unique_ptr<Encoder> another() const = 0;

  // One vector of unit length per text, in order. Any bytes are accepted; long texts are cut.
  virtual Result<std::vector<std::vector<float>>> embed(std::span<const std::string> texts) = 0;

  Result<std::vector<float>> embed_one(std::string_view text) {
    const std::string copy(text);
    auto vectors = embed(std::span(&copy, 1));
    if (!vectors) return std::move(vectors).failure();
    return std::move(vectors->front());
  }
};

}  // namespace glovebox::search
