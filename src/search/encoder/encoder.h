// From a text to a point: texts that mean the same lie close together.
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

  // Names weights and arithmetic: vectors of another model() mean nothing to this one.
  virtual std::string model() const = 0;
  virtual std::size_t dimensions() const = 0;
  // For another thread; the weights are shared.
  virtual std::unique_ptr<Encoder> another() const = 0;

  // One vector of unit length per text, in order. Any bytes are a text; what is too long is cut.
  virtual Result<std::vector<std::vector<float>>> embed(std::span<const std::string> texts) = 0;

  Result<std::vector<float>> embed_one(std::string_view text) {
    const std::string copy(text);
    auto vectors = embed(std::span(&copy, 1));
    if (!vectors) return std::move(vectors).failure();
    return std::move(vectors->front());
  }
};

}  // namespace glovebox::search
