#define GLOVEBOX_LANES 4
#include "search/kernels/float_kernels.h"

namespace glovebox::search {
namespace {

// The end of a product: converts integer sums to floats.
inline float finished(const Multiply& task, std::size_t row, std::size_t output, std::int32_t sum) {
  float value = task.row_scales[row] * task.weight_scales[output] *
                    static_cast<float>(sum - task.row_zeros[row] * task.weight_sums[output]) +
                task.bias[output];
  for (std::size_t e = 0; e < task.extra_count; ++e)
    value += task.extras[row * task.extra_count + e] * task.extra_weights[e * task.blocks * kBlock + output];
  return value;
}

void multiply(const Multiply& task) {
  const std::size_t outputs = task.blocks * kBlock;
  for (std::size_t block = 0; block < task.blocks; ++block)
    for (std::size_t row = 0; row < task.count; ++row) {
      const std::int8_t* weights = task.packed + block * task.groups * kBlock * kGroup;
      const std::uint8_t* values = task.rows + row * task.groups * kGroup;
      std::int32_t sums[kBlock] = {};
      for (std::size_t group = 0; group < task.groups; ++group, weights += kBlock * kGroup, values += kGroup)
        for (std::size_t n = 0; n < kBlock; ++n)
          for (std::size_t k = 0; k < kGroup; ++k) sums[n] += values[k] * weights[n * kGroup + k];
      for (std::size_t n = 0; n < kBlock; ++n)
        task.out[row * outputs + block * kBlock + n] = finished(task, row, block * kBlock + n, sums[n]);
    }
}

// Converts IEEE 754 halves; weights have no infinities or NaN, which would become large numbers.
void widen(const unsigned char* halves, std::size_t size, float* out) {
  for (std::size_t i = 0; i < size; ++i) {
    std::uint16_t half;
    __builtin_memcpy(&half, halves + 2 * i, sizeof half);
    const std::uint32_t bits = static_cast<std::uint32_t>(half & 0x7FFFU) << 13;
    float value;
    __builtin_memcpy(&value, &bits, sizeof value);
    value *= 0x1p112F;  // moves the exponent, and makes subnormal halves normal
    out[i] = (half & 0x8000U) ? -value : value;
  }
}

}  // namespace

const Kernels kPortableKernels = {"portable", quantize, multiply, attend, gelu, add_and_normalize, widen};

}  // namespace glovebox::search
