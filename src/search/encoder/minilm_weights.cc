#include "search/encoder/minilm_weights.h"

#include <array>
#include <cstring>

#include "base/digest.h"
#include "base/try.h"

namespace glovebox::search {
namespace {

using Type = Safetensors::Type;

constexpr std::size_t kHalfBytes = 2;
constexpr const char* kWords = "embeddings.word_embeddings.weight";

std::string digest_of(std::span<const unsigned char> bytes) {
  return base::sha256_hex({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

std::vector<float> whole_floats(std::span<const unsigned char> bytes) {
  std::vector<float> out(bytes.size() / sizeof(float));
  std::memcpy(out.data(), bytes.data(), bytes.size());
  return out;
}

}  // namespace

Result<MiniLmWeights> MiniLmWeights::open(const std::string& path, const std::string& sha256, const Kernels& kernels) {
  MiniLmWeights weights(GLOVEBOX_TRY(Safetensors::open(path)), kernels);
  if (!sha256.empty() && digest_of(weights.file_.file()) != sha256)
    return Failure{ErrorCode::kInvalidArgument, path + " is not the file that this program was made with"};
  GLOVEBOX_TRY_VOID(weights.find_words());
  return weights;
}

Result<void> MiniLmWeights::find_words() {
  const std::string scales = std::string(kWords) + ".scale";
  const bool bytes = !file_.shape(scales).empty();
  words_ = GLOVEBOX_TRY(file_.numbers(kWords, bytes ? Type::kByte : Type::kHalf, {kMiniLmWords, kMiniLmSize}));
  if (bytes) word_scales_ = whole_floats(GLOVEBOX_TRY(file_.numbers(scales, Type::kFloat, {kMiniLmWords})));
  return {};
}

Result<std::vector<float>> MiniLmWeights::floats(const std::string& name,
                                                 const std::vector<std::uint64_t>& shape) const {
  const auto halves = GLOVEBOX_TRY(file_.numbers(name, Type::kHalf, shape));
  std::vector<float> out(halves.size() / kHalfBytes);
  kernels_->widen(halves.data(), out.size(), out.data());
  return out;
}

void MiniLmWeights::word(std::uint32_t id, float* out) const {
  if (word_scales_.empty()) return kernels_->widen(words_.data() + id * kMiniLmSize * kHalfBytes, kMiniLmSize, out);
  const auto* steps = reinterpret_cast<const std::int8_t*>(words_.data()) + id * kMiniLmSize;
  for (std::size_t i = 0; i < kMiniLmSize; ++i) out[i] = static_cast<float>(steps[i]) * word_scales_[id];
}

Result<std::optional<std::vector<std::uint32_t>>> MiniLmWeights::exact_columns(const std::string& name,
                                                                               std::size_t columns) const {
  const std::vector<std::uint64_t> shape = file_.shape(name + ".exact_columns");
  if (shape.empty()) return std::optional<std::vector<std::uint32_t>>();
  const auto bytes = GLOVEBOX_TRY(file_.numbers(name + ".exact_columns", Type::kInteger, shape));
  std::vector<std::uint32_t> found(bytes.size() / sizeof(std::uint32_t));
  if (!found.empty()) std::memcpy(found.data(), bytes.data(), bytes.size());
  for (const std::uint32_t column : found)
    if (column >= columns) return Failure{ErrorCode::kInvalidArgument, "the weights name a column beyond " + name};
  return std::optional(std::move(found));
}

Result<void> MiniLmWeights::rows(const std::string& name, std::size_t count, std::size_t first,
                                 Int8Matrix& matrix) const {
  const std::string weight = name + ".weight";
  const std::size_t columns = matrix.columns();
  const std::vector<float> bias = GLOVEBOX_TRY(floats(name + ".bias", {count}));
  if (file_.shape(weight + ".scale").empty()) {
    const auto halves = GLOVEBOX_TRY(file_.numbers(weight, Type::kHalf, {count, columns}));
    std::vector<float> row(columns);
    for (std::size_t i = 0; i < count; ++i) {
      kernels_->widen(halves.data() + i * columns * kHalfBytes, columns, row.data());
      matrix.set_row(first + i, row, bias[i]);
    }
    return {};
  }
  const auto bytes = GLOVEBOX_TRY(file_.numbers(weight, Type::kByte, {count, columns}));
  const auto scales = whole_floats(GLOVEBOX_TRY(file_.numbers(weight + ".scale", Type::kFloat, {count})));
  std::vector<float> exact;
  if (matrix.exact_columns() > 0) exact = GLOVEBOX_TRY(floats(weight + ".exact", {count, matrix.exact_columns()}));
  const std::span<const std::int8_t> steps(reinterpret_cast<const std::int8_t*>(bytes.data()), bytes.size());
  for (std::size_t i = 0; i < count; ++i)
    matrix.set_quantized_row(first + i, steps.subspan(i * columns, columns), scales[i],
                             std::span(exact).subspan(i * matrix.exact_columns(), matrix.exact_columns()), bias[i]);
  return {};
}

}  // namespace glovebox::search
