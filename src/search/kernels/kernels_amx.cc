// Compiled for AVX-512 with VNNI and AMX: products of whole tiles. The packed matrix is already in the order that AMX
// needs for its right factor; everything else is as for AVX-512.
#include <asm/prctl.h>
#include <immintrin.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "search/kernels/kernels.h"

namespace glovebox::search {
namespace {

constexpr std::size_t kTileRows = 16;
constexpr std::size_t kTileBytes = 64;
constexpr int kRequestPermission = 0x1023;  // ARCH_REQ_XCOMP_PERM
constexpr int kTileData = 18;               // XFEATURE_XTILEDATA

struct alignas(64) TileShape {
  std::uint8_t palette = 1;
  std::uint8_t start_row = 0;
  std::uint8_t reserved[14] = {};
  std::uint16_t bytes[16] = {};
  std::uint8_t rows[16] = {};
};

// Converts integer sums to floats, for as many rows as there are.
void finish(const Multiply& task, const std::int32_t* sums, std::size_t row, std::size_t block) {
  const std::size_t outputs = task.blocks * kBlock;
  const std::size_t output = block * kBlock;
  const __m512i weight_sums = _mm512_loadu_si512(task.weight_sums + output);
  const __m512 weight_scales = _mm512_loadu_ps(task.weight_scales + output);
  const __m512 bias = _mm512_loadu_ps(task.bias + output);
  for (std::size_t r = 0; r < kTileRows && row + r < task.count; ++r) {
    const __m512i zero = _mm512_mullo_epi32(_mm512_set1_epi32(task.row_zeros[row + r]), weight_sums);
    const __m512 scale = _mm512_mul_ps(_mm512_set1_ps(task.row_scales[row + r]), weight_scales);
    const __m512i sum = _mm512_load_si512(sums + r * kBlock);
    __m512 value = _mm512_fmadd_ps(scale, _mm512_cvtepi32_ps(_mm512_sub_epi32(sum, zero)), bias);
    for (std::size_t e = 0; e < task.extra_count; ++e)
      value = _mm512_fmadd_ps(_mm512_set1_ps(task.extras[(row + r) * task.extra_count + e]),
                              _mm512_loadu_ps(task.extra_weights + e * outputs + output), value);
    _mm512_storeu_ps(task.out + (row + r) * outputs + output, value);
  }
}

// Two tiles of rows by two blocks of outputs.
void multiply_square(const Multiply& task, std::size_t row, std::size_t block) {
  const std::size_t width = task.groups * kGroup;
  const std::uint8_t* upper = task.rows + row * width;
  const std::uint8_t* lower = upper + kTileRows * width;
  const std::int8_t* left = task.packed + block * width * kBlock;
  const std::int8_t* right = left + width * kBlock;
  _tile_zero(0);
  _tile_zero(1);
  _tile_zero(2);
  _tile_zero(3);
  for (std::size_t at = 0; at < width; at += kTileBytes) {
    _tile_loadd(4, upper + at, width);
    _tile_loadd(6, left + at * kBlock, kTileBytes);
    _tile_loadd(7, right + at * kBlock, kTileBytes);
    _tile_dpbusd(0, 4, 6);
    _tile_dpbusd(1, 4, 7);
    _tile_loadd(5, lower + at, width);
    _tile_dpbusd(2, 5, 6);
    _tile_dpbusd(3, 5, 7);
  }
  alignas(64) std::int32_t sums[kTileRows * kBlock];
  _tile_stored(0, sums, kTileBytes);
  finish(task, sums, row, block);
  _tile_stored(1, sums, kTileBytes);
  finish(task, sums, row, block + 1);
  _tile_stored(2, sums, kTileBytes);
  finish(task, sums, row + kTileRows, block);
  _tile_stored(3, sums, kTileBytes);
  finish(task, sums, row + kTileRows, block + 1);
}

void multiply_single(const Multiply& task, std::size_t row, std::size_t block) {
  const std::size_t width = task.groups * kGroup;
  const std::uint8_t* rows = task.rows + row * width;
  const std::int8_t* weights = task.packed + block * width * kBlock;
  _tile_zero(0);
  for (std::size_t at = 0; at < width; at += kTileBytes) {
    _tile_loadd(4, rows + at, width);
    _tile_loadd(6, weights + at * kBlock, kTileBytes);
    _tile_dpbusd(0, 4, 6);
  }
  alignas(64) std::int32_t sums[kTileRows * kBlock];
  _tile_stored(0, sums, kTileBytes);
  finish(task, sums, row, block);
}

void multiply(const Multiply& task) {
  // A few rows do not fill a tile, and a width that is not a multiple of a tile's cannot be handled.
  if (task.count < 6 || task.groups * kGroup % kTileBytes != 0) {
    kAvx512Kernels.multiply(task);
    return;
  }
  TileShape shape;
  for (int tile = 0; tile < 8; ++tile) {
    shape.bytes[tile] = kTileBytes;
    shape.rows[tile] = kTileRows;
  }
  _tile_loadconfig(&shape);
  std::size_t block = 0;
  for (; block + 2 <= task.blocks; block += 2) {
    std::size_t row = 0;
    for (; row + kTileRows < task.count; row += 2 * kTileRows) multiply_square(task, row, block);
    if (row < task.count) {
      multiply_single(task, row, block);
      multiply_single(task, row, block + 1);
    }
  }
  for (; block < task.blocks; ++block)
    for (std::size_t row = 0; row < task.count; row += kTileRows) multiply_single(task, row, block);
  _tile_release();
}

}  // namespace

// The kernel enables the tile registers for a process only on request.
bool request_tiles() {
  return ::syscall(SYS_arch_prctl, kRequestPermission, kTileData) == 0;
}

const Kernels kAmxKernels = {"amx",
                             kAvx512Kernels.quantize,
                             multiply,
                             kAvx512Kernels.attend,
                             kAvx512Kernels.gelu,
                             kAvx512Kernels.add_and_normalize,
                             kAvx512Kernels.widen};

}  // namespace glovebox::search
