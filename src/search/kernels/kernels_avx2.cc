// Compiled for AVX2, FMA and F16C.
#define GLOVEBOX_LANES 8
#include <immintrin.h>

#include "search/kernels/float_kernels.h"

namespace glovebox::search {
namespace {

// Bytes are widened to 16 bits before they are multiplied: the instruction for bytes saturates, and results would
// depend on the processor. kRows rows share each load of weights; a vector of sums holds two halves of four outputs.
template <int kRows>
void multiply_rows(const Multiply& task, std::size_t row, std::size_t block) {
  const std::size_t width = task.groups * kGroup;
  const std::size_t outputs = task.blocks * kBlock;
  for (std::size_t half = 0; half < 2; ++half) {
    const std::int8_t* weights = task.packed + block * width * kBlock + half * 32;
    __m256i sums[kRows][2];
    for (auto& pair : sums) pair[0] = pair[1] = _mm256_setzero_si256();
    for (std::size_t group = 0; group < task.groups; ++group, weights += kBlock * kGroup) {
      const __m256i first = _mm256_cvtepi8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(weights)));
      const __m256i second = _mm256_cvtepi8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(weights + 16)));
      for (int r = 0; r < kRows; ++r) {
        const __m128i four = _mm_cvtepu8_epi16(_mm_loadu_si32(task.rows + (row + r) * width + group * kGroup));
        const __m256i values = _mm256_broadcastq_epi64(four);
        sums[r][0] = _mm256_add_epi32(sums[r][0], _mm256_madd_epi16(values, first));
        sums[r][1] = _mm256_add_epi32(sums[r][1], _mm256_madd_epi16(values, second));
      }
    }
    for (int r = 0; r < kRows; ++r) {
      // Adds neighbours; the two vectors come out interleaved by halves.
      const __m256i added = _mm256_permute4x64_epi64(_mm256_hadd_epi32(sums[r][0], sums[r][1]), 0xD8);
      const std::size_t output = block * kBlock + half * 8;
      const __m256i zero =
          _mm256_mullo_epi32(_mm256_set1_epi32(task.row_zeros[row + r]),
                             _mm256_loadu_si256(reinterpret_cast<const __m256i*>(task.weight_sums + output)));
      const __m256 scale =
          _mm256_mul_ps(_mm256_set1_ps(task.row_scales[row + r]), _mm256_loadu_ps(task.weight_scales + output));
      __m256 value = _mm256_fmadd_ps(scale, _mm256_cvtepi32_ps(_mm256_sub_epi32(added, zero)),
                                     _mm256_loadu_ps(task.bias + output));
      for (std::size_t e = 0; e < task.extra_count; ++e)
        value = _mm256_fmadd_ps(_mm256_set1_ps(task.extras[(row + r) * task.extra_count + e]),
                                _mm256_loadu_ps(task.extra_weights + e * outputs + output), value);
      _mm256_storeu_ps(task.out + (row + r) * outputs + output, value);
    }
  }
}

void multiply(const Multiply& task) {
  for (std::size_t block = 0; block < task.blocks; ++block) {
    std::size_t row = 0;
    for (; row + 4 <= task.count; row += 4) multiply_rows<4>(task, row, block);
    for (; row < task.count; ++row) multiply_rows<1>(task, row, block);
  }
}

void widen(const unsigned char* halves, std::size_t size, float* out) {
  std::size_t i = 0;
  for (; i + 8 <= size; i += 8)
    _mm256_storeu_ps(out + i, _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(halves + 2 * i))));
  for (; i < size; ++i) {
    std::uint16_t half;
    __builtin_memcpy(&half, halves + 2 * i, sizeof half);
    out[i] = _cvtsh_ss(half);
  }
}

}  // namespace

const Kernels kAvx2Kernels = {"avx2", quantize, multiply, attend, gelu, add_and_normalize, widen};

}  // namespace glovebox::search
