// A matrix of bytes with a scale for each row, in the order in which the kernels read it. Weights of the encoder are
// one, and so is the table of all tools' vectors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <span>
#include <vector>

#include "search/kernels/kernels.h"

namespace glovebox::search {

template <typename T>
struct CacheLineAllocator {
  using value_type = T;
  CacheLineAllocator() = default;
  template <typename U>
  CacheLineAllocator(const CacheLineAllocator<U>&) {}  // NOLINT(google-explicit-constructor)
  T* allocate(std::size_t n) { return static_cast<T*>(::operator new (n * sizeof(T), std::align_val_t{64})); }
  void deallocate(T* memory, std::size_t) { ::operator delete (memory, std::align_val_t{64}); }
  bool operator==(const CacheLineAllocator&) const { return true; }
};

// Steps of -127 to 127 and the size of one. Where `mask` is 0 a value is ignored; NaN becomes 0.
float quantize_row(std::span<const float> values, std::span<const float> mask, std::int8_t* steps);

class Int8Matrix {
 public:
  // Columns in `exact` are kept as floats: inputs that are many times larger than all others would reduce the precision
  // of those.
  explicit Int8Matrix(std::size_t columns = 0, std::vector<std::uint32_t> exact = {});

  std::size_t columns() const { return columns_; }
  std::size_t padded_rows() const { return blocks_ * kBlock; }  // of a product's rows
  std::size_t exact_columns() const { return exact_.size(); }

  // Makes room; new rows are zero. With exact columns it can be called only once.
  void resize(std::size_t rows);
  void set_row(std::size_t row, std::span<const float> values, float bias = 0);
  // Values that were quantised before: a byte per column, and the exact columns as floats.
  void set_quantized_row(std::size_t row, std::span<const std::int8_t> values, float scale,
                         std::span<const float> exact, float bias);
  void clear_row(std::size_t row);
  std::vector<float> row(std::size_t row) const;

  // Temporary memory of a product; kept by the caller, because allocating it costs more than short products.
  struct Scratch {
    std::vector<std::uint8_t> values;
    std::vector<float> scales;
    std::vector<std::int32_t> zeros;
    std::vector<float> extras;
    std::vector<float> padded;
  };
  // out[i·padded_rows() + n] = row i of `left` · row n + its bias, for `count` rows of columns() floats.
  void multiply(const float* left, std::size_t count, float* out, Scratch& scratch, const Kernels& kernels) const;

  std::size_t bytes() const;

 private:
  void place(std::size_t row, float scale, float bias);
  std::size_t columns_;
  std::size_t padded_columns_;
  std::size_t blocks_ = 0;
  std::vector<float> mask_;  // 0 for exact columns, else 1
  std::vector<std::uint32_t> exact_;
  std::vector<float> exact_weights_;
  std::vector<std::int8_t, CacheLineAllocator<std::int8_t>> packed_;
  std::vector<float> scales_;
  std::vector<std::int32_t> sums_;
  std::vector<float> bias_;
  std::vector<std::int8_t> row_;  // of set_row()
};

}  // namespace glovebox::search
