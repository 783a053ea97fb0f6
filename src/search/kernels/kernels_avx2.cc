// Compiled for AVX2, FMA and F16C.
#define GLOVEBOX_LANES 8
#include <immintrin.h>

#include "search/kernels/float_kernels.h"

namespace glovebox::search {
namespace {

// Rows that share each load of weights: as many as there are registers for their sums.
constexpr int kRowsAtOnce = 6;
constexpr std::size_t kWidest = 4096;  // wider ones are left to the portable kernel

// Written as the instruction: g++ 12 copies and stores the sums that it should add to.
inline void add_to(__m256i& sum, __m256i more) {
  asm("vpaddd %1, %0, %0" : "+x"(sum) : "x"(more));
}

// Bytes are widened to 16 bits before they are multiplied: the instruction for bytes saturates, and results would
// depend on the processor. A vector of sums holds two halves of four outputs. Loops over sums are unrolled, so that
// they stay in registers.
template <int kRows>
void multiply_rows(const Multiply& task, const std::int16_t* wide, std::size_t row, std::size_t block) {
  const std::size_t width = task.groups * kGroup;
  const std::size_t outputs = task.blocks * kBlock;
  for (std::size_t half = 0; half < 2; ++half) {
    const std::int8_t* weights = task.packed + block * width * kBlock + half * 32;
    __m256i sums[kRows][2];
#pragma GCC unroll 8
    for (int r = 0; r < kRows; ++r) sums[r][0] = sums[r][1] = _mm256_setzero_si256();
    for (std::size_t group = 0; group < task.groups; ++group, weights += kBlock * kGroup) {
      const __m256i first = _mm256_cvtepi8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(weights)));
      const __m256i second = _mm256_cvtepi8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(weights + 16)));
#pragma GCC unroll 8
      for (int r = 0; r < kRows; ++r) {
        long long four;
        __builtin_memcpy(&four, wide + r * width + group * kGroup, sizeof four);
        const __m256i values = _mm256_set1_epi64x(four);
        add_to(sums[r][0], _mm256_madd_epi16(values, first));
        add_to(sums[r][1], _mm256_madd_epi16(values, second));
      }
    }
#pragma GCC unroll 8
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

template <int kRows>
void multiply_all_blocks(const Multiply& task, std::size_t row) {
  const std::size_t width = task.groups * kGroup;
  alignas(32) std::int16_t wide[kRows * kWidest];
  for (std::size_t i = 0; i < kRows * width; i += 16)
    _mm256_store_si256(
        reinterpret_cast<__m256i*>(wide + i),
        _mm256_cvtepu8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(task.rows + row * width + i))));
  for (std::size_t block = 0; block < task.blocks; ++block) multiply_rows<kRows>(task, wide, row, block);
}

void multiply(const Multiply& task) {
  if (task.groups * kGroup > kWidest) return kPortableKernels.multiply(task);
  std::size_t row = 0;
  for (; row + kRowsAtOnce <= task.count; row += kRowsAtOnce) multiply_all_blocks<kRowsAtOnce>(task, row);
  switch (task.count - row) {
    case 5: multiply_all_blocks<5>(task, row); break;
    case 4: multiply_all_blocks<4>(task, row); break;
    case 3: multiply_all_blocks<3>(task, row); break;
    case 2: multiply_all_blocks<2>(task, row); break;
    case 1: multiply_all_blocks<1>(task, row); break;
    default: break;
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
