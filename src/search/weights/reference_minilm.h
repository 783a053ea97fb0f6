// For tests: MiniLM in double precision, textbook style. Nothing is rounded, batched or vectorised, and of the
// encoder's code only the reading of files is used.
#pragma once

#include <cmath>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "base/try.h"
#include "search/weights/safetensors.h"

namespace glovebox::search {

class ReferenceMiniLm {
 public:
  using Numbers = std::vector<double>;

  explicit ReferenceMiniLm(const std::string& weights) : file_(Safetensors::open(weights).value()) {}

  // Normalized to unit length. `tokens` as WordPiece returns them.
  Numbers embed(const std::vector<std::uint32_t>& tokens) const {
    const std::size_t count = tokens.size();
    const Numbers positions = tensor("embeddings.position_embeddings.weight");
    const Numbers types = tensor("embeddings.token_type_embeddings.weight");
    Numbers state(count * kSize);
    for (std::size_t t = 0; t < count; ++t) {
      const Numbers word = rows("embeddings.word_embeddings.weight", tokens[t], 1);
      for (std::size_t i = 0; i < kSize; ++i) state[t * kSize + i] = word[i] + positions[t * kSize + i] + types[i];
    }
    normalize(state, "embeddings");
    for (int layer = 0; layer < 6; ++layer) {
      const std::string at = "encoder.layer." + std::to_string(layer) + ".";
      Numbers mixed = attention(state, at + "attention.self.");
      add(state, product(mixed, kSize, at + "attention.output.dense", at + "attention.output.dense"));
      normalize(state, at + "attention.output");
      Numbers inner = product(state, kSize, at + "intermediate.dense", at + "intermediate.dense");
      for (double& x : inner) x = 0.5 * x * (1 + std::erf(x / std::sqrt(2.0)));
      add(state, product(inner, 4 * kSize, at + "output.dense", at + "output.dense"));
      normalize(state, at + "output");
    }
    Numbers mean(kSize);
    for (std::size_t i = 0; i < state.size(); ++i) mean[i % kSize] += state[i];
    double squares = 0;
    for (const double x : mean) squares += x * x;
    for (double& x : mean) x /= std::sqrt(squares);
    return mean;
  }

 private:
  static constexpr std::size_t kSize = 384;
  static constexpr std::size_t kHead = 32;
  using Type = Safetensors::Type;

  // Of all values beyond the first dimension, `count` from `first` on.
  Numbers halves(const std::string& name, std::size_t first, std::size_t count) const {
    const auto shape = file_.shape(name);
    const std::size_t width = shape.size() == 2 ? 2 * shape[1] : 2;
    const auto bytes = file_.numbers(name, Type::kHalf, shape).value().subspan(first * width, count * width);
    Numbers out;
    for (std::size_t i = 0; i < bytes.size(); i += 2) {
      const int bits = bytes[i] | bytes[i + 1] << 8;
      const int exponent = bits >> 10 & 31;
      const double fraction = exponent == 0 ? (bits & 1023) / 512.0 : 1 + (bits & 1023) / 1024.0;
      out.push_back((bits & 0x8000 ? -1 : 1) * std::ldexp(fraction, exponent - 15));
    }
    return out;
  }

  Numbers rows(const std::string& name, std::size_t first, std::size_t count) const {
    const auto shape = file_.shape(name);
    if (file_.shape(name + ".scale").empty()) return halves(name, first, count);
    const auto steps = file_.numbers(name, Type::kByte, shape).value();
    const auto scales = file_.numbers(name + ".scale", Type::kFloat, {shape[0]}).value();
    Numbers out;
    for (std::size_t i = first * shape[1]; i < (first + count) * shape[1]; ++i) {
      float scale;
      std::memcpy(&scale, scales.data() + i / shape[1] * sizeof scale, sizeof scale);
      out.push_back(static_cast<signed char>(steps[i]) * double{scale});
    }
    return out;
  }

  // `matrix`: the one that these exact columns belong to.
  Numbers tensor(const std::string& name, const std::string& matrix = "") const {
    const auto shape = file_.shape(name);
    Numbers out = rows(name, 0, shape[0]);
    const auto exact_shape = file_.shape(matrix + ".exact_columns");
    if (exact_shape.empty() || exact_shape[0] == 0) return out;
    const auto columns = file_.numbers(matrix + ".exact_columns", Type::kInteger, exact_shape).value();
    const Numbers exact = halves(name + ".exact", 0, shape[0]);
    for (std::size_t i = 0; i < exact.size(); ++i) {
      std::uint32_t column;
      std::memcpy(&column, columns.data() + i % exact_shape[0] * sizeof column, sizeof column);
      out[i / exact_shape[0] * shape[1] + column] = exact[i];
    }
    return out;
  }

  Numbers product(const Numbers& left, std::size_t columns, const std::string& name, const std::string& matrix) const {
    const Numbers bias = tensor(name + ".bias");
    Numbers& turned = turned_[name];
    if (turned.empty()) {
      const Numbers weights = tensor(name + ".weight", matrix);
      turned.resize(weights.size());
      for (std::size_t i = 0; i < weights.size(); ++i) turned[i % columns * bias.size() + i / columns] = weights[i];
    }
    Numbers out;
    for (std::size_t row = 0; row < left.size() / columns; ++row) {
      Numbers sums = bias;
      for (std::size_t k = 0; k < columns; ++k)
        for (std::size_t n = 0; n < sums.size(); ++n) sums[n] += left[row * columns + k] * turned[k * sums.size() + n];
      out.insert(out.end(), sums.begin(), sums.end());
    }
    return out;
  }

  Numbers attention(const Numbers& state, const std::string& at) const {
    const std::string matrix = at.substr(0, at.size() - 1);
    const Numbers queries = product(state, kSize, at + "query", matrix);
    const Numbers keys = product(state, kSize, at + "key", matrix);
    const Numbers values = product(state, kSize, at + "value", matrix);
    const std::size_t count = state.size() / kSize;
    Numbers out(state.size());
    for (std::size_t head = 0; head < kSize; head += kHead)
      for (std::size_t i = 0; i < count; ++i) {
        Numbers weights(count);
        double sum = 0;
        for (std::size_t j = 0; j < count; ++j) {
          double dot = 0;
          for (std::size_t d = head; d < head + kHead; ++d) dot += queries[i * kSize + d] * keys[j * kSize + d];
          sum += weights[j] = std::exp(dot / std::sqrt(double{kHead}));
        }
        for (std::size_t j = 0; j < count; ++j)
          for (std::size_t d = head; d < head + kHead; ++d)
            out[i * kSize + d] += weights[j] / sum * values[j * kSize + d];
      }
    return out;
  }

  static void add(Numbers& state, const Numbers& more) {
    for (std::size_t i = 0; i < state.size(); ++i) state[i] += more[i];
  }

  void normalize(Numbers& state, const std::string& name) const {
    const Numbers gain = tensor(name + ".LayerNorm.weight");
    const Numbers bias = tensor(name + ".LayerNorm.bias");
    for (std::size_t row = 0; row < state.size(); row += kSize) {
      double mean = 0;
      double squares = 0;
      for (std::size_t i = 0; i < kSize; ++i) mean += state[row + i] / kSize;
      for (std::size_t i = 0; i < kSize; ++i) squares += std::pow(state[row + i] - mean, 2) / kSize;
      for (std::size_t i = 0; i < kSize; ++i)
        state[row + i] = (state[row + i] - mean) / std::sqrt(squares + 1e-12) * gain[i] + bias[i];
    }
  }

  Safetensors file_;
  mutable std::map<std::string, Numbers> turned_;  // weights by column
};

}  // namespace glovebox::search
