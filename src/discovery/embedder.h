// Embedder: texts become vectors elsewhere, on another thread or on another machine.
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
  // The model name that vectors are stored under, or why it cannot be used.
  virtual void open(std::function<void(Result<std::string>)> done) = 0;

  // A caller waits for a query; tools can take longer.
  enum class Purpose { kQuery, kTools };
  // One vector of unit length per text, all equally long. After open().
  virtual void embed(std::vector<std::string> texts, Purpose purpose, std::function<void(Result<Vectors>)> done) = 0;
  // How many texts of tools make a good batch, and how many batches at once.
  virtual std::size_t batch() const = 0;
  virtual std::size_t lanes() const { return 1; }
  // Whether cosines of its vectors are comparable to those of the local model. Models differ in how far apart unrelated
  // texts are.
  virtual bool is_calibrated() const = 0;
};

}  // namespace glovebox::discovery
