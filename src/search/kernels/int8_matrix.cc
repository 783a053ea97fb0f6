#include "search/kernels/int8_matrix.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/try.h"

namespace glovebox::search {

// Plain loops over whole rows, which the compiler vectorises: the encoder's weights are ten million numbers.
float quantize_row(std::span<const float> values, std::span<const float> mask, std::int8_t* steps) {
  float most = 0;
  for (std::size_t column = 0; column < values.size(); ++column) {
    const float size = std::fabs(values[column]) * mask[column];
    most = size > most ? size : most;
  }
  const float scale = most > 0 && std::isfinite(most) ? most / 127.0F : 1.0F;
  const float per_step = 1.0F / scale;
  for (std::size_t column = 0; column < values.size(); ++column) {
    const float scaled = values[column] * mask[column] * per_step;
    const float level = std::fabs(scaled) <= 127.4F ? scaled : 0.0F;
    steps[column] = static_cast<std::int8_t>(static_cast<std::int32_t>(level + std::copysign(0.499F, level)));
  }
  return scale;
}

Int8Matrix::Int8Matrix(std::size_t columns, std::vector<std::uint32_t> exact)
    : columns_(columns),
      padded_columns_((columns + kBlock - 1) / kBlock * kBlock),
      mask_(padded_columns_, 1.0F),
      exact_(std::move(exact)) {
  for (const std::uint32_t column : exact_) mask_[column] = 0;
}

void Int8Matrix::resize(std::size_t rows) {
  GLOVEBOX_CHECK(exact_.empty() || blocks_ == 0);
  blocks_ = (rows + kBlock - 1) / kBlock;
  packed_.resize(padded_rows() * padded_columns_);
  scales_.resize(padded_rows());
  sums_.resize(padded_rows());
  bias_.resize(padded_rows());
  exact_weights_.resize(exact_.size() * padded_rows());
}

void Int8Matrix::set_row(std::size_t row, std::span<const float> values, float bias) {
  GLOVEBOX_CHECK(row < padded_rows() && values.size() == columns_);
  row_.assign(padded_columns_, 0);
  place(row, quantize_row(values, mask_, row_.data()), bias);
  for (std::size_t e = 0; e < exact_.size(); ++e) exact_weights_[e * padded_rows() + row] = values[exact_[e]];
}

void Int8Matrix::set_quantized_row(std::size_t row, std::span<const std::int8_t> values, float scale,
                                   std::span<const float> exact, float bias) {
  GLOVEBOX_CHECK(row < padded_rows() && values.size() == columns_ && exact.size() == exact_.size());
  row_.assign(padded_columns_, 0);
  std::copy(values.begin(), values.end(), row_.begin());
  place(row, scale, bias);
  for (std::size_t e = 0; e < exact.size(); ++e) exact_weights_[e * padded_rows() + row] = exact[e];
}

// Stores row_, in the kernels' order.
void Int8Matrix::place(std::size_t row, float scale, float bias) {
  std::int8_t* block = packed_.data() + row / kBlock * padded_columns_ * kBlock + row % kBlock * kGroup;
  for (std::size_t group = 0; group < padded_columns_; group += kGroup)
    std::memcpy(block + group * kBlock, row_.data() + group, kGroup);
  std::int32_t sum = 0;
  for (const std::int8_t step : row_) sum += step;
  scales_[row] = scale;
  sums_[row] = sum;
  bias_[row] = bias;
}

void Int8Matrix::clear_row(std::size_t row) {
  set_row(row, std::vector<float>(columns_));
}

std::vector<float> Int8Matrix::row(std::size_t row) const {
  GLOVEBOX_CHECK(row < padded_rows());
  const std::int8_t* block = packed_.data() + row / kBlock * padded_columns_ * kBlock + row % kBlock * kGroup;
  std::vector<float> values(columns_);
  for (std::size_t column = 0; column < columns_; ++column) {
    const std::int8_t step = block[column / kGroup * kGroup * kBlock + column % kGroup];
    values[column] = scales_[row] * static_cast<float>(step);
  }
  for (std::size_t e = 0; e < exact_.size(); ++e) values[exact_[e]] = exact_weights_[e * padded_rows() + row];
  return values;
}

void Int8Matrix::multiply(const float* left, std::size_t count, float* out, Scratch& scratch,
                          const Kernels& kernels) const {
  scratch.values.resize((count + kRowTile - 1) / kRowTile * kRowTile * padded_columns_);
  scratch.scales.resize(count);
  scratch.zeros.resize(count);
  scratch.extras.resize(count * exact_.size());
  for (std::size_t row = 0; row < count; ++row) {
    const float* values = left + row * columns_;
    for (std::size_t e = 0; e < exact_.size(); ++e) scratch.extras[row * exact_.size() + e] = values[exact_[e]];
    if (padded_columns_ != columns_) {
      scratch.padded.assign(padded_columns_, 0);
      std::copy_n(values, columns_, scratch.padded.begin());
      values = scratch.padded.data();
    }
    kernels.quantize(values, mask_.data(), padded_columns_, scratch.values.data() + row * padded_columns_,
                     &scratch.scales[row], &scratch.zeros[row]);
  }
  kernels.multiply({scratch.values.data(), count, scratch.scales.data(), scratch.zeros.data(), packed_.data(),
                    padded_columns_ / kGroup, blocks_, scales_.data(), sums_.data(), bias_.data(),
                    scratch.extras.data(), exact_weights_.data(), exact_.size(), out});
}

std::size_t Int8Matrix::bytes() const {
  return packed_.capacity() + sizeof(float) * (scales_.capacity() + sums_.capacity() + bias_.capacity() +
                                               exact_weights_.capacity() + mask_.capacity());
}

}  // namespace glovebox::search
