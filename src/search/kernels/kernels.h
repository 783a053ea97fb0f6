// The arithmetic of the encoder and of the vector table, once for every kind of processor. Integer results are the same
// everywhere; floating-point ones differ in the last bits.
#pragma once

#include <cstddef>
#include <cstdint>

namespace glovebox::search {

inline constexpr std::size_t kGroup = 4;     // inputs that lie together in a packed matrix
inline constexpr std::size_t kRowTile = 32;  // rows that a kernel may read together
inline constexpr std::size_t kBlock = 16;    // outputs that lie together
inline constexpr std::size_t kHeadSize = 32;
inline constexpr std::size_t kKeyStep = 64;  // keys are padded to it, or to less
inline constexpr std::size_t kQueriesAtOnce = 4;

// out[r][n] = scale[r]·weight_scales[n]·Σ (rows[r][k] - zero[r])·weight[n][k] + bias[n] + Σ
// extras[r][e]·extra_weights[e][n]
struct Multiply {
  const std::uint8_t* rows;  // count × groups·kGroup, and room behind it up to a multiple of kRowTile rows
  std::size_t count;
  const float* row_scales;
  const std::int32_t* row_zeros;
  const std::int8_t* packed;  // [blocks][groups][kBlock][kGroup]
  std::size_t groups;
  std::size_t blocks;
  const float* weight_scales;       // blocks·kBlock
  const std::int32_t* weight_sums;  // Σ weight[n][k]
  const float* bias;                // blocks·kBlock
  const float* extras;              // count × extra_count: inputs that are not rounded
  const float* extra_weights;       // extra_count × blocks·kBlock
  std::size_t extra_count;
  float* out;  // count × blocks·kBlock
};

// One head of attention within one text: out[i] = Σ softmax(q[i]·k[j]·scale)[j] · v[j]. q, k and v are rows of one
// matrix with `stride` floats each.
struct Attend {
  const float* queries;
  const float* keys;
  const float* values;
  std::size_t stride;
  std::size_t tokens;
  float scale;
  float* out;
  std::size_t out_stride;
  float* scratch;  // (2·kHeadSize + kQueriesAtOnce) · (tokens rounded up to kKeyStep)
};

struct Kernels {
  const char* name;
  // values·mask to 0…255, where `zero` represents 0. `size` is a multiple of kBlock.
  void (*quantize)(const float* values, const float* mask, std::size_t size, std::uint8_t* out, float* scale,
                   std::int32_t* zero);
  void (*multiply)(const Multiply& task);
  void (*attend)(const Attend& task);
  void (*gelu)(float* values, std::size_t size);
  // values = normalised(values + residual)·gain + bias
  void (*add_and_normalize)(float* values, const float* residual, const float* gain, const float* bias,
                            std::size_t size);
  // Half-precision numbers, at any address.
  void (*widen)(const unsigned char* halves, std::size_t size, float* out);
};

extern const Kernels kPortableKernels;
extern const Kernels kAvx2Kernels;
extern const Kernels kAvx512Kernels;
extern const Kernels kAmxKernels;

// Whether this processor supports them.
bool is_usable(const Kernels& kernels);

// The fastest that this processor supports.
const Kernels& best_kernels();

}  // namespace glovebox::search
