// Compiled for AVX-512 with VNNI.
#define GLOVEBOX_LANES 16
#include <immintrin.h>

#include "search/kernels/float_kernels.h"

namespace glovebox::search {
namespace {

// sum += bytes of `values` times bytes of `weights`, four by four. Written as the instruction: g++ 12 copies each sum
// twice around its intrinsic and spills it to the stack, which halves the speed.
inline void add_products(__m512i& sum, __m512i values, __m512i weights) {
  asm("vpdpbusd %2, %1, %0" : "+v"(sum) : "v"(values), "v"(weights));
}

// Sums stay in registers: a non-constant index would put them into memory, so all loops over them are unrolled.
template <int kRows, int kBlocks>
void multiply_tile(const Multiply& task, std::size_t row, std::size_t block) {
  const std::size_t width = task.groups * kGroup;
  const std::size_t outputs = task.blocks * kBlock;
  const std::int8_t* weights = task.packed + block * width * kBlock;
  const std::uint8_t* values = task.rows + row * width;
  __m512i sums[kRows][kBlocks];
#pragma GCC unroll 8
  for (int r = 0; r < kRows; ++r)
#pragma GCC unroll 8
    for (int b = 0; b < kBlocks; ++b) sums[r][b] = _mm512_setzero_si512();
  for (std::size_t group = 0; group < task.groups; ++group) {
    __m512i loaded[kBlocks];
#pragma GCC unroll 8
    for (int b = 0; b < kBlocks; ++b) loaded[b] = _mm512_loadu_si512(weights + b * width * kBlock + group * 64);
#pragma GCC unroll 8
    for (int r = 0; r < kRows; ++r) {
      std::int32_t four;
      __builtin_memcpy(&four, values + r * width + group * kGroup, sizeof four);
      const __m512i spread = _mm512_set1_epi32(four);
#pragma GCC unroll 8
      for (int b = 0; b < kBlocks; ++b) add_products(sums[r][b], spread, loaded[b]);
    }
  }
#pragma GCC unroll 8
  for (int b = 0; b < kBlocks; ++b) {
    const std::size_t output = (block + b) * kBlock;
    const __m512i weight_sums = _mm512_loadu_si512(task.weight_sums + output);
    const __m512 weight_scales = _mm512_loadu_ps(task.weight_scales + output);
    const __m512 bias = _mm512_loadu_ps(task.bias + output);
#pragma GCC unroll 8
    for (int r = 0; r < kRows; ++r) {
      const __m512i zero = _mm512_mullo_epi32(_mm512_set1_epi32(task.row_zeros[row + r]), weight_sums);
      const __m512 scale = _mm512_mul_ps(_mm512_set1_ps(task.row_scales[row + r]), weight_scales);
      __m512 value = _mm512_fmadd_ps(scale, _mm512_cvtepi32_ps(_mm512_sub_epi32(sums[r][b], zero)), bias);
      for (std::size_t e = 0; e < task.extra_count; ++e)
        value = _mm512_fmadd_ps(_mm512_set1_ps(task.extras[(row + r) * task.extra_count + e]),
                                _mm512_loadu_ps(task.extra_weights + e * outputs + output), value);
      _mm512_storeu_ps(task.out + (row + r) * outputs + output, value);
    }
  }
}

template <int kBlocks>
void multiply_blocks(const Multiply& task, std::size_t block) {
  std::size_t row = 0;
  for (; row + 6 <= task.count; row += 6) multiply_tile<6, kBlocks>(task, row, block);
  switch (task.count - row) {
    case 5: multiply_tile<5, kBlocks>(task, row, block); break;
    case 4: multiply_tile<4, kBlocks>(task, row, block); break;
    case 3: multiply_tile<3, kBlocks>(task, row, block); break;
    case 2: multiply_tile<2, kBlocks>(task, row, block); break;
    case 1: multiply_tile<1, kBlocks>(task, row, block); break;
    default: break;
  }
}

void multiply(const Multiply& task) {
  std::size_t block = 0;
  for (; block + 4 <= task.blocks; block += 4) multiply_blocks<4>(task, block);
  for (; block < task.blocks; ++block) multiply_blocks<1>(task, block);
}

void widen(const unsigned char* halves, std::size_t size, float* out) {
  std::size_t i = 0;
  for (; i + 16 <= size; i += 16)
    _mm512_storeu_ps(out + i, _mm512_cvtph_ps(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(halves + 2 * i))));
  for (; i < size; ++i) {
    std::uint16_t half;
    __builtin_memcpy(&half, halves + 2 * i, sizeof half);
    out[i] = _cvtsh_ss(half);
  }
}

}  // namespace

const Kernels kAvx512Kernels = {"avx512-vnni", quantize, multiply, attend, gelu, add_and_normalize, widen};

}  // namespace glovebox::search
