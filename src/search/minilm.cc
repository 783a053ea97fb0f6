#include "search/minilm.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/program_part.h"
#include "base/try.h"
#include "search/int8_matrix.h"
#include "search/safetensors.h"
#include "search/wordpiece.h"

namespace glovebox::search {
namespace {

constexpr std::size_t kSize = 384;
constexpr std::size_t kInner = 1536;
constexpr std::size_t kHeads = kSize / kHeadSize;
constexpr std::size_t kLayers = 6;
constexpr std::size_t kVocabulary = 30522;
constexpr std::size_t kPositions = 512;
constexpr std::size_t kHalf = 2;  // bytes of a number in the file
// Texts are taken together up to so many tokens: enough that weights are read seldom, few enough for the cache.
constexpr std::size_t kTokensAtOnce = 512;

using FloatList = std::vector<float>;

struct Layer {
  Int8Matrix query_key_value;
  Int8Matrix attention_out;
  Int8Matrix up;
  Int8Matrix down;
  FloatList attention_gain, attention_bias, out_gain, out_bias;
};

// Reads tensors as floats, and matrices as bytes.
class Loader {
 public:
  Loader(const Safetensors& file, const Kernels& kernels) : file_(file), kernels_(kernels) {}

  Result<FloatList> floats(const std::string& name, const std::vector<std::uint64_t>& shape) const {
    const auto halves = GLOVEBOX_TRY(file_.halves(name, shape));
    FloatList out(halves.size() / kHalf);
    kernels_.widen(halves.data(), out.size(), out.data());
    return out;
  }

  // name.weight and name.bias, as rows of `matrix` from `first` on.
  Result<void> rows(const std::string& name, std::size_t count, std::size_t first, Int8Matrix& matrix) const {
    const auto weights = GLOVEBOX_TRY(file_.halves(name + ".weight", {count, matrix.columns()}));
    const FloatList bias = GLOVEBOX_TRY(floats(name + ".bias", {count}));
    FloatList row(matrix.columns());
    for (std::size_t i = 0; i < count; ++i) {
      kernels_.widen(weights.data() + i * row.size() * kHalf, row.size(), row.data());
      matrix.set_row(first + i, row, bias[i]);
    }
    return {};
  }

 private:
  const Safetensors& file_;
  const Kernels& kernels_;
};

using Tokens = std::vector<std::uint32_t>;

// Ordinary texts and odd ones: what is large in these is large in all.
constexpr std::array kSamples = {
    "I need to book a flight from Paris to New York next Monday, and please send the invoice to my accountant.",
    "github - create_issue: Creates an issue in a repository. Parameters: owner, repo, title, body, labels",
    "{\"id\": 12, \"url\": \"https://example.org/a?b=c\"} 日本 привет 3.14 %",
    "weather",
    "",
};

// Columns whose largest value is several times that of the middle one, the largest first. A fixed few exist in every
// layer of the model.
std::vector<std::uint32_t> outliers(const FloatList& values, std::size_t count, std::size_t columns) {
  constexpr float kTimes = 3;
  constexpr std::size_t kMost = 8;
  FloatList largest(columns);
  for (std::size_t i = 0; i < count * columns; ++i)
    largest[i % columns] = std::max(largest[i % columns], std::fabs(values[i]));
  FloatList sorted = largest;
  std::nth_element(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(columns / 2), sorted.end());
  const float limit = kTimes * sorted[columns / 2];
  std::vector<std::uint32_t> found;
  for (std::uint32_t column = 0; column < columns; ++column)
    if (largest[column] > limit) found.push_back(column);
  std::sort(found.begin(), found.end(), [&](auto a, auto b) { return largest[a] > largest[b]; });
  if (found.size() > kMost) found.resize(kMost);
  return found;
}

class MiniLm : public Encoder {
 public:
  MiniLm(Safetensors file, WordPiece tokenizer, const Kernels& kernels)
      : file_(std::move(file)), tokenizer_(std::move(tokenizer)), kernels_(kernels) {}

  Result<void> load() {
    const Loader loader(file_, kernels_);
    words_ = GLOVEBOX_TRY(file_.halves("embeddings.word_embeddings.weight", {kVocabulary, kSize}));
    positions_ = GLOVEBOX_TRY(loader.floats("embeddings.position_embeddings.weight", {kPositions, kSize}));
    const FloatList types = GLOVEBOX_TRY(loader.floats("embeddings.token_type_embeddings.weight", {2, kSize}));
    positions_.resize(kMostTokens * kSize);
    for (std::size_t i = 0; i < positions_.size(); ++i) positions_[i] += types[i % kSize];
    word_gain_ = GLOVEBOX_TRY(loader.floats("embeddings.LayerNorm.weight", {kSize}));
    word_bias_ = GLOVEBOX_TRY(loader.floats("embeddings.LayerNorm.bias", {kSize}));
    GLOVEBOX_TRY_VOID(load_layers(loader));
    return {};
  }

  std::string model() const override { return "all-MiniLM-L6-v2-int8-1"; }
  std::size_t dimensions() const override { return kSize; }

  Result<std::vector<std::vector<float>>> embed(std::span<const std::string> texts) override {
    std::vector<std::vector<float>> vectors;
    vectors.reserve(texts.size());
    std::vector<Tokens> batch;
    std::size_t tokens = 0;
    for (const std::string& text : texts) {
      Tokens next = tokenizer_.tokens(text, kMostTokens);
      if (tokens + next.size() > kTokensAtOnce) {
        encode(batch, tokens, vectors);
        batch.clear();
        tokens = 0;
      }
      tokens += next.size();
      batch.push_back(std::move(next));
    }
    encode(batch, tokens, vectors);
    return vectors;
  }

 private:
  // Each matrix is read when a few sample texts have come as far as its input, so that it is known which columns of it
  // get much larger values than others.
  Result<void> load_layers(const Loader& loader) {
    std::vector<Tokens> samples;
    std::size_t count = 0;
    for (const char* text : kSamples) {
      samples.push_back(tokenizer_.tokens(text, kMostTokens));
      count += samples.back().size();
    }
    start(samples, count);
    const auto matrix = [&](const FloatList& input, std::size_t columns, std::size_t rows) {
      Int8Matrix made(columns, outliers(input, count, columns));
      made.resize(rows);
      return made;
    };
    for (std::size_t i = 0; i < kLayers; ++i) {
      const std::string at = "encoder.layer." + std::to_string(i) + ".";
      Layer& layer = layers_.emplace_back();
      layer.attention_gain = GLOVEBOX_TRY(loader.floats(at + "attention.output.LayerNorm.weight", {kSize}));
      layer.attention_bias = GLOVEBOX_TRY(loader.floats(at + "attention.output.LayerNorm.bias", {kSize}));
      layer.out_gain = GLOVEBOX_TRY(loader.floats(at + "output.LayerNorm.weight", {kSize}));
      layer.out_bias = GLOVEBOX_TRY(loader.floats(at + "output.LayerNorm.bias", {kSize}));
      layer.query_key_value = matrix(state_, kSize, 3 * kSize);
      GLOVEBOX_TRY_VOID(loader.rows(at + "attention.self.query", kSize, 0, layer.query_key_value));
      GLOVEBOX_TRY_VOID(loader.rows(at + "attention.self.key", kSize, kSize, layer.query_key_value));
      GLOVEBOX_TRY_VOID(loader.rows(at + "attention.self.value", kSize, 2 * kSize, layer.query_key_value));
      mix(layer, samples, count);
      layer.attention_out = matrix(mixed_, kSize, kSize);
      GLOVEBOX_TRY_VOID(loader.rows(at + "attention.output.dense", kSize, 0, layer.attention_out));
      finish_attention(layer, count);
      layer.up = matrix(state_, kSize, kInner);
      GLOVEBOX_TRY_VOID(loader.rows(at + "intermediate.dense", kInner, 0, layer.up));
      widen_and_bend(layer, count);
      layer.down = matrix(projected_, kInner, kSize);
      GLOVEBOX_TRY_VOID(loader.rows(at + "output.dense", kSize, 0, layer.down));
      finish_layer(layer, count);
    }
    return {};
  }

  void multiply(const FloatList& values, std::size_t count, const Int8Matrix& matrix, FloatList& out) {
    out.resize(count * matrix.padded_rows());
    matrix.multiply(values.data(), count, out.data(), quantized_, kernels_);
  }

  void add_and_normalize(FloatList& values, const FloatList& residual, const FloatList& gain, const FloatList& bias,
                         std::size_t count) {
    for (std::size_t row = 0; row < count; ++row)
      kernels_.add_and_normalize(values.data() + row * kSize, residual.data() + row * kSize, gain.data(), bias.data(),
                                 kSize);
  }

  void mix(const Layer& layer, const std::vector<Tokens>& batch, std::size_t count) {
    multiply(state_, count, layer.query_key_value, projected_);
    mixed_.resize(count * kSize);
    scratch_.resize((2 * kHeadSize + 1) * (kMostTokens + kKeyStep));
    std::size_t first = 0;
    for (const Tokens& text : batch) {
      for (std::size_t head = 0; head < kHeads; ++head) {
        const float* at = projected_.data() + first * 3 * kSize + head * kHeadSize;
        kernels_.attend({at, at + kSize, at + 2 * kSize, 3 * kSize, text.size(), 1.0F / std::sqrt(float{kHeadSize}),
                         mixed_.data() + first * kSize + head * kHeadSize, kSize, scratch_.data()});
      }
      first += text.size();
    }
  }

  void finish_attention(const Layer& layer, std::size_t count) {
    multiply(mixed_, count, layer.attention_out, next_);
    add_and_normalize(next_, state_, layer.attention_gain, layer.attention_bias, count);
    std::swap(state_, next_);
  }

  void widen_and_bend(const Layer& layer, std::size_t count) {
    multiply(state_, count, layer.up, projected_);
    kernels_.gelu(projected_.data(), count * kInner);
  }

  void finish_layer(const Layer& layer, std::size_t count) {
    multiply(projected_, count, layer.down, next_);
    add_and_normalize(next_, state_, layer.out_gain, layer.out_bias, count);
    std::swap(state_, next_);
  }

  void start(const std::vector<Tokens>& batch, std::size_t count) {
    state_.resize(count * kSize);
    std::size_t row = 0;
    for (const Tokens& text : batch)
      for (std::size_t i = 0; i < text.size(); ++i, ++row) {
        float* at = state_.data() + row * kSize;
        kernels_.widen(words_.data() + text[i] * kSize * kHalf, kSize, at);
        kernels_.add_and_normalize(at, positions_.data() + i * kSize, word_gain_.data(), word_bias_.data(), kSize);
      }
  }

  // All tokens of the batch go through each layer together; only attention knows where a text ends.
  void encode(const std::vector<Tokens>& batch, std::size_t count, std::vector<std::vector<float>>& vectors) {
    if (batch.empty()) return;
    start(batch, count);
    for (const Layer& layer : layers_) {
      mix(layer, batch, count);
      finish_attention(layer, count);
      widen_and_bend(layer, count);
      finish_layer(layer, count);
    }
    std::size_t row = 0;
    for (const Tokens& text : batch) {
      vectors.push_back(mean(row, text.size()));
      row += text.size();
    }
  }

  // Of unit length.
  std::vector<float> mean(std::size_t first, std::size_t count) const {
    std::vector<float> sum(kSize);
    for (std::size_t row = first; row < first + count; ++row)
      for (std::size_t i = 0; i < kSize; ++i) sum[i] += state_[row * kSize + i];
    double squares = 0;
    for (const float value : sum) squares += double{value} * value;
    const auto factor = static_cast<float>(1.0 / std::sqrt(std::max(squares, 1e-24)));
    for (float& value : sum) value *= factor;
    return sum;
  }

  Safetensors file_;
  WordPiece tokenizer_;
  const Kernels& kernels_;
  std::span<const unsigned char> words_;  // in the mapped file
  FloatList positions_;
  FloatList word_gain_, word_bias_;
  std::vector<Layer> layers_;
  // Kept between calls, because fresh memory costs more than the arithmetic of a short text.
  FloatList state_, next_, projected_, mixed_, scratch_;
  Int8Matrix::Scratch quantized_;
};

}  // namespace

Result<std::unique_ptr<Encoder>> open_minilm(const std::string& folder, const Kernels& kernels) {
  auto tokenizer = GLOVEBOX_TRY(WordPiece::open(folder + "/model/tokenizer.json", kVocabulary));
  auto file = GLOVEBOX_TRY(Safetensors::open(folder + "/model/model.fp16.safetensors"));
  auto encoder = std::make_unique<MiniLm>(std::move(file), std::move(tokenizer), kernels);
  GLOVEBOX_TRY_VOID(encoder->load());
  return std::unique_ptr<Encoder>(std::move(encoder));
}

std::string minilm_folder() {
  return base::program_part("glovebox-minilm");
}

}  // namespace glovebox::search
