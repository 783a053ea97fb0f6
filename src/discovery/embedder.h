// Embedder: texts become vectors somewhere else, on another thread or on another machine.
//
// Results are reported on the executor that it was made with, never before the function returns, and not at all once
// the embedder is gone.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "glovebox/result.h"

namespace glovebox::discovery {

using Vectors = std::vector<std::vector<float>>;

class Embedder {
 public:
  virtual ~Embedder() = default;

  // For people: "the embeddings endpoint https://…", "the local model".
  virtual std::string name() const = 0;
  // The model that vectors are kept under, or why it cannot be used.
  virtual void open(std::function<void(Result<std::string>)> done) = 0;

  // A query has somebody waiting for it; tools take their time.
  enum class Purpose { kQuery, kTools };
  // One vector of unit length per text, all equally long. After open().
  virtual void embed(std::vector<std::string> texts, Purpose purpose, std::function<void(Result<Vectors>)> done) = 0;
  // How many texts of tools it likes to be given at once, and how many times that at a time.
  virtual std::size_t batch() const = 0;
  virtual std::size_t lanes() const { return 1; }
  // Whether cosines of its vectors mean what those of the local model mean. Each model has its own idea of how far
  // apart unrelated texts are.
  virtual bool is_calibrated() const = 0;
};

}  // namespace glovebox::discovery
