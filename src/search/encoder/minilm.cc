#include "search/encoder/minilm.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/program_part.h"
#include "base/try.h"
#include "search/encoder/minilm_weights.h"
#include "search/encoder/wordpiece.h"

namespace glovebox::search {
namespace {

constexpr std::size_t kSize = kMiniLmSize;
constexpr std::size_t kInner = 1536;
constexpr std::size_t kHeads = kSize / kHeadSize;
constexpr std::size_t kLayers = 6;
constexpr std::size_t kPositions = 512;
// Texts are batched up to this many tokens: enough that weights are read rarely, few enough for the cache.
constexpr std::size_t kTokensAtOnce = 512;

// Of our weights, which are in this repository: src/search/weights/README.md.
constexpr const char* kToolsDigest = "3bf6bc76abbf8dc00aed369ce3b04efaeebd7071e27c73e1dd4aaf4efcc530f8";

using FloatList = std::vector<float>;

struct Layer {
  Int8Matrix query_key_value;
  Int8Matrix attention_out;
  Int8Matrix up;
  Int8Matrix down;
  FloatList attention_gain, attention_bias, out_gain, out_bias;
};

using Tokens = std::vector<std::uint32_t>;

// Ordinary and odd texts: columns that are large for these are large for all.
constexpr std::array kSamples = {
    "I need to book a flight from Paris to New York next Monday, and please send the invoice to my accountant.",
    "github - create_issue: Creates an issue in a repository. Parameters: owner, repo, title, body, labels",
    "{\"id\": 12, \"url\": \"https://example.org/a?b=c\"} 日本 привет 3.14 %",
    "weather",
    "",
};

// Columns whose largest value is several times the median, the largest first. A fixed few exist in every layer of the
// model.
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

// Shared by all encoders of a process.
struct Model {
  std::string name;
  MiniLmWeights weights;  // the embeddings of words stay in the mapped file
  WordPiece tokenizer;
  FloatList positions{};
  FloatList word_gain{}, word_bias{};
  std::vector<Layer> layers{};
  ExactColumns exact_columns{};
};

class MiniLm : public Encoder {
 public:
  // load() must come before anything else, unless the model is loaded.
  MiniLm(std::shared_ptr<Model> model, const Kernels& kernels) : model_(std::move(model)), kernels_(kernels) {}

  Result<void> load() {
    const MiniLmWeights& weights = model_->weights;
    FloatList& positions = model_->positions;
    positions = GLOVEBOX_TRY(weights.floats("embeddings.position_embeddings.weight", {kPositions, kSize}));
    const FloatList types = GLOVEBOX_TRY(weights.floats("embeddings.token_type_embeddings.weight", {2, kSize}));
    positions.resize(kMostTokens * kSize);
    for (std::size_t i = 0; i < positions.size(); ++i) positions[i] += types[i % kSize];
    model_->word_gain = GLOVEBOX_TRY(weights.floats("embeddings.LayerNorm.weight", {kSize}));
    model_->word_bias = GLOVEBOX_TRY(weights.floats("embeddings.LayerNorm.bias", {kSize}));
    GLOVEBOX_TRY_VOID(load_layers());
    return {};
  }

  std::string model() const override { return model_->name; }
  std::size_t dimensions() const override { return kSize; }
  std::unique_ptr<Encoder> another() const override { return std::make_unique<MiniLm>(model_, kernels_); }
  const ExactColumns& exact_columns() const { return model_->exact_columns; }

  Result<std::vector<std::vector<float>>> embed(std::span<const std::string> texts) override {
    std::vector<std::vector<float>> vectors;
    vectors.reserve(texts.size());
    std::vector<Tokens> batch;
    std::size_t tokens = 0;
    for (const std::string& text : texts) {
      Tokens next = model_->tokenizer.tokens(text, kMostTokens);
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
  // Where the file does not list which columns of a matrix get much larger values than others, a few sample texts show
  // them: each matrix is read when the samples have reached its input.
  Result<void> load_layers() {
    const MiniLmWeights& weights = model_->weights;
    std::vector<Tokens> samples;
    std::size_t count = 0;
    for (const char* text : kSamples) {
      samples.push_back(model_->tokenizer.tokens(text, kMostTokens));
      count += samples.back().size();
    }
    start(samples, count);
    bool sampling = true;
    const auto matrix = [&](const std::string& name, const FloatList& input, std::size_t columns,
                            std::size_t rows) -> Result<Int8Matrix> {
      auto exact = GLOVEBOX_TRY(weights.exact_columns(name, columns));
      sampling = !exact;
      if (!exact) exact = outliers(input, count, columns);
      model_->exact_columns[name] = *exact;
      Int8Matrix made(columns, std::move(*exact));
      made.resize(rows);
      return made;
    };
    for (std::size_t i = 0; i < kLayers; ++i) {
      const std::string at = "encoder.layer." + std::to_string(i) + ".";
      Layer& layer = model_->layers.emplace_back();
      layer.attention_gain = GLOVEBOX_TRY(weights.floats(at + "attention.output.LayerNorm.weight", {kSize}));
      layer.attention_bias = GLOVEBOX_TRY(weights.floats(at + "attention.output.LayerNorm.bias", {kSize}));
      layer.out_gain = GLOVEBOX_TRY(weights.floats(at + "output.LayerNorm.weight", {kSize}));
      layer.out_bias = GLOVEBOX_TRY(weights.floats(at + "output.LayerNorm.bias", {kSize}));
      layer.query_key_value = GLOVEBOX_TRY(matrix(at + "attention.self", state_, kSize, 3 * kSize));
      GLOVEBOX_TRY_VOID(weights.rows(at + "attention.self.query", kSize, 0, layer.query_key_value));
      GLOVEBOX_TRY_VOID(weights.rows(at + "attention.self.key", kSize, kSize, layer.query_key_value));
      GLOVEBOX_TRY_VOID(weights.rows(at + "attention.self.value", kSize, 2 * kSize, layer.query_key_value));
      if (sampling) mix(layer, samples, count);
      layer.attention_out = GLOVEBOX_TRY(matrix(at + "attention.output.dense", mixed_, kSize, kSize));
      GLOVEBOX_TRY_VOID(weights.rows(at + "attention.output.dense", kSize, 0, layer.attention_out));
      if (sampling) finish_attention(layer, count);
      layer.up = GLOVEBOX_TRY(matrix(at + "intermediate.dense", state_, kSize, kInner));
      GLOVEBOX_TRY_VOID(weights.rows(at + "intermediate.dense", kInner, 0, layer.up));
      if (sampling) widen_and_bend(layer, count);
      layer.down = GLOVEBOX_TRY(matrix(at + "output.dense", projected_, kInner, kSize));
      GLOVEBOX_TRY_VOID(weights.rows(at + "output.dense", kSize, 0, layer.down));
      if (sampling) finish_layer(layer, count);
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
    scratch_.resize((2 * kHeadSize + kQueriesAtOnce) * (kMostTokens + kKeyStep));
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
        model_->weights.word(text[i], at);
        kernels_.add_and_normalize(at, model_->positions.data() + i * kSize, model_->word_gain.data(),
                                   model_->word_bias.data(), kSize);
      }
  }

  // All tokens of the batch go through each layer together; only attention respects text boundaries.
  void encode(const std::vector<Tokens>& batch, std::size_t count, std::vector<std::vector<float>>& vectors) {
    if (batch.empty()) return;
    start(batch, count);
    for (const Layer& layer : model_->layers) {
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

  // Normalized to unit length.
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

  std::shared_ptr<Model> model_;
  const Kernels& kernels_;
  // Kept between calls, because allocating memory costs more than the arithmetic of a short text.
  FloatList state_, next_, projected_, mixed_, scratch_;
  Int8Matrix::Scratch quantized_;
};

Result<std::unique_ptr<MiniLm>> open(const MiniLmFiles& files, const Kernels& kernels) {
  auto tokenizer = GLOVEBOX_TRY(WordPiece::open(files.tokenizer, kMiniLmWords));
  auto weights = GLOVEBOX_TRY(MiniLmWeights::open(files.weights, files.sha256, kernels));
  auto model = std::make_shared<Model>(Model{files.model, std::move(weights), std::move(tokenizer)});
  auto encoder = std::make_unique<MiniLm>(std::move(model), kernels);
  GLOVEBOX_TRY_VOID(encoder->load());
  return encoder;
}

}  // namespace

MiniLmFiles tools_minilm() {
  return {base::program_part("glovebox-minilm") + "/model/tokenizer.json",
          base::program_part("glovebox-weights") + "/glovebox-minilm-1.safetensors", "glovebox-minilm-1", kToolsDigest};
}

MiniLmFiles base_minilm() {
  const std::string folder = base::program_part("glovebox-minilm") + "/model/";
  return {folder + "tokenizer.json", folder + "model.fp16.safetensors", "all-MiniLM-L6-v2-int8-1", ""};
}

Result<std::unique_ptr<Encoder>> open_minilm(const MiniLmFiles& files, const Kernels& kernels) {
  return std::unique_ptr<Encoder>(GLOVEBOX_TRY(open(files, kernels)));
}

Result<ExactColumns> exact_columns_of(const MiniLmFiles& files) {
  return GLOVEBOX_TRY(open(files, best_kernels()))->exact_columns();
}

}  // namespace glovebox::search
