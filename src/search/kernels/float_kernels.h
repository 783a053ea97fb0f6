// The floating-point half of the kernels, in vectors of GLOVEBOX_LANES floats. Each file that defines a set of kernels
// compiles it for its own processor; everything here has internal linkage, so that the linker cannot pick code for a
// newer processor where an older one runs. For the same reason nothing of the standard library is called.
#pragma once

#include "search/kernels/kernels.h"

namespace glovebox::search {
namespace {

using Floats = float __attribute__((vector_size(4 * GLOVEBOX_LANES)));
using Integers = std::int32_t __attribute__((vector_size(4 * GLOVEBOX_LANES)));
using Bytes = std::uint8_t __attribute__((vector_size(GLOVEBOX_LANES)));

// Memory is aligned for floats, not for vectors. A copy of constant size compiles to one unaligned load.
inline Floats load(const float* from) {
  Floats value;
  __builtin_memcpy(&value, from, sizeof value);
  return value;
}
inline void store(float* to, Floats value) {
  __builtin_memcpy(to, &value, sizeof value);
}
inline Floats all(float value) {
  return Floats{} + value;
}
inline Floats larger(Floats a, Floats b) {
  return a > b ? a : b;
}
inline Floats smaller(Floats a, Floats b) {
  return a < b ? a : b;
}
inline float sum_of(Floats v) {
  float sum = 0;
  for (int i = 0; i < GLOVEBOX_LANES; ++i) sum += v[i];
  return sum;
}

constexpr int kVectorsOfKeys = 2;  // that are read together
static_assert(kKeyStep % (kVectorsOfKeys * GLOVEBOX_LANES) == 0);

// e^x with a relative error of 2e-7, for x up to 88; below -87 it stays at the smallest number.
inline Floats exponential(Floats x) {
  x = larger(x, all(-87.0F));
  const Floats scaled = x * 1.44269504F;
  const Floats rounder = all(12582912.0F);  // 1.5·2^23: adding it rounds to an integer
  const Floats whole = (scaled + rounder) - rounder;
  const Floats part = (x - whole * 0.693359375F) + whole * 2.12194440e-4F;
  Floats p = all(1.9875691500e-4F);
  p = p * part + 1.3981999507e-3F;
  p = p * part + 8.3334519073e-3F;
  p = p * part + 4.1665795894e-2F;
  p = p * part + 1.6666665459e-1F;
  p = p * part + 5.0000001201e-1F;
  p = p * part * part + part + 1.0F;
  const Integers power = (__builtin_convertvector(whole, Integers) + 127) << 23;
  Floats factor;
  __builtin_memcpy(&factor, &power, sizeof factor);
  return p * factor;
}

// x·Φ(x), with Abramowitz and Stegun's 7.1.26 for the error function: an error of 2e-7 at most.
void gelu(float* values, std::size_t size) {
  for (std::size_t i = 0; i < size; i += GLOVEBOX_LANES) {
    const Floats x = load(values + i);
    const Floats scaled = x * 0.70710678F;
    const Floats absolute = larger(scaled, -scaled);
    const Floats t = 1.0F / (1.0F + 0.3275911F * absolute);
    const Floats poly =
        ((((1.061405429F * t - 1.453152027F) * t + 1.421413741F) * t - 0.284496736F) * t + 0.254829592F) * t;
    const Floats positive = 1.0F - poly * exponential(-absolute * absolute);
    const Floats error = scaled < 0.0F ? -positive : positive;
    store(values + i, 0.5F * x * (1.0F + error));
  }
}

void add_and_normalize(float* values, const float* residual, const float* gain, const float* bias, std::size_t size) {
  Floats total{};
  for (std::size_t i = 0; i < size; i += GLOVEBOX_LANES) {
    const Floats sum = load(values + i) + load(residual + i);
    store(values + i, sum);
    total += sum;
  }
  const float mean = sum_of(total) / static_cast<float>(size);
  Floats squares{};
  for (std::size_t i = 0; i < size; i += GLOVEBOX_LANES) {
    const Floats off = load(values + i) - mean;
    squares += off * off;
  }
  const float factor = 1.0F / __builtin_sqrtf(sum_of(squares) / static_cast<float>(size) + 1e-12F);
  for (std::size_t i = 0; i < size; i += GLOVEBOX_LANES)
    store(values + i, (load(values + i) - mean) * factor * load(gain + i) + load(bias + i));
}

void quantize(const float* values, const float* mask, std::size_t size, std::uint8_t* out, float* scale,
              std::int32_t* zero) {
  Floats low{};
  Floats high{};
  for (std::size_t i = 0; i < size; i += GLOVEBOX_LANES) {
    const Floats value = load(values + i) * load(mask + i);
    low = smaller(low, value);
    high = larger(high, value);
  }
  float least = 0;
  float most = 0;
  for (int i = 0; i < GLOVEBOX_LANES; ++i) {
    least = low[i] < least ? low[i] : least;
    most = high[i] > most ? high[i] : most;
  }
  const float step = most > least ? (most - least) / 255.0F : 1.0F;
  const float per_step = 1.0F / step;
  const auto middle = static_cast<std::int32_t>(-least * per_step + 0.5F);
  *scale = step;
  *zero = middle;
  const Floats shift = all(static_cast<float>(middle) + 0.5F);
  for (std::size_t i = 0; i < size; i += GLOVEBOX_LANES) {
    const Floats level = smaller(larger(load(values + i) * load(mask + i) * per_step + shift, Floats{}), all(255.0F));
    const Bytes bytes = __builtin_convertvector(__builtin_convertvector(level, Integers), Bytes);
    __builtin_memcpy(out + i, &bytes, sizeof bytes);
  }
}

// e^(weight - the largest) in place, and their sum. Whole vectors are read and written; entries after `count` are
// overwritten.
float soften(float* weights, std::size_t count) {
  const std::size_t whole = count / GLOVEBOX_LANES * GLOVEBOX_LANES;
  float highest = weights[0];
  for (std::size_t i = whole; i < count; ++i) highest = weights[i] > highest ? weights[i] : highest;
  Floats high = all(highest);
  for (std::size_t i = 0; i < whole; i += GLOVEBOX_LANES) high = larger(high, load(weights + i));
  for (int i = 0; i < GLOVEBOX_LANES; ++i) highest = high[i] > highest ? high[i] : highest;
  Floats sum{};
  for (std::size_t i = 0; i < count; i += GLOVEBOX_LANES) {
    for (std::size_t behind = count; behind < i + GLOVEBOX_LANES; ++behind) weights[behind] = -1e30F;
    const Floats value = exponential(load(weights + i) - highest);
    store(weights + i, value);
    sum += value;
  }
  return sum_of(sum);
}

struct Heads {
  const float* keys;    // transposed: a component of all keys, then the next
  const float* values;  // a row of each token
  std::size_t padded;   // tokens, and what keys are padded to
  float* weights;       // kQueries × padded
};

// Several queries share each load of keys and values. Sums stay in registers, so loops over them are unrolled.
template <int kQueries>
void attend_from(const Attend& task, const Heads& heads, std::size_t first) {
  constexpr int kHeadVectors = kHeadSize / GLOVEBOX_LANES;
  const float* queries = task.queries + first * task.stride;
  for (std::size_t j = 0; j < task.tokens; j += kVectorsOfKeys * GLOVEBOX_LANES) {
    Floats sums[kQueries][kVectorsOfKeys] = {};
    for (std::size_t d = 0; d < kHeadSize; ++d) {
      Floats keys[kVectorsOfKeys];
#pragma GCC unroll 8
      for (int v = 0; v < kVectorsOfKeys; ++v) keys[v] = load(heads.keys + d * heads.padded + j + v * GLOVEBOX_LANES);
#pragma GCC unroll 8
      for (int q = 0; q < kQueries; ++q)
#pragma GCC unroll 8
        for (int v = 0; v < kVectorsOfKeys; ++v) sums[q][v] += queries[q * task.stride + d] * keys[v];
    }
#pragma GCC unroll 8
    for (int q = 0; q < kQueries; ++q)
#pragma GCC unroll 8
      for (int v = 0; v < kVectorsOfKeys; ++v)
        store(heads.weights + q * heads.padded + j + v * GLOVEBOX_LANES, sums[q][v] * task.scale);
  }
  float totals[kQueries];
  for (int q = 0; q < kQueries; ++q) totals[q] = soften(heads.weights + q * heads.padded, task.tokens);
  // A few vectors of each row of values at a time, as many as there are registers for.
  constexpr int kAtOnce = kHeadVectors < 2 ? kHeadVectors : 2;
  for (int part = 0; part < kHeadVectors; part += kAtOnce) {
    Floats sums[kQueries][kAtOnce] = {};
    for (std::size_t j = 0; j < task.tokens; ++j) {
      Floats values[kAtOnce];
#pragma GCC unroll 8
      for (int v = 0; v < kAtOnce; ++v) values[v] = load(heads.values + j * kHeadSize + (part + v) * GLOVEBOX_LANES);
#pragma GCC unroll 8
      for (int q = 0; q < kQueries; ++q)
#pragma GCC unroll 8
        for (int v = 0; v < kAtOnce; ++v) sums[q][v] += heads.weights[q * heads.padded + j] * values[v];
    }
#pragma GCC unroll 8
    for (int q = 0; q < kQueries; ++q)
#pragma GCC unroll 8
      for (int v = 0; v < kAtOnce; ++v)
        store(task.out + (first + q) * task.out_stride + (part + v) * GLOVEBOX_LANES, sums[q][v] / totals[q]);
  }
}

// Keys are transposed first, so that one step takes a component of many keys at once. Values are copied, because rows
// that are far apart map to the same few cache lines.
void attend(const Attend& task) {
  constexpr std::size_t kStep = kVectorsOfKeys * GLOVEBOX_LANES;
  const std::size_t padded = (task.tokens + kStep - 1) / kStep * kStep;
  float* transposed = task.scratch;
  float* values = transposed + kHeadSize * padded;
  const Heads heads = {transposed, values, padded, values + kHeadSize * padded};
  for (std::size_t j = 0; j < task.tokens; ++j)
    for (std::size_t d = 0; d < kHeadSize; ++d) {
      transposed[d * padded + j] = task.keys[j * task.stride + d];
      values[j * kHeadSize + d] = task.values[j * task.stride + d];
    }
  for (std::size_t j = task.tokens; j < padded; ++j)
    for (std::size_t d = 0; d < kHeadSize; ++d) transposed[d * padded + j] = 0;
  std::size_t first = 0;
  for (; first + kQueriesAtOnce <= task.tokens; first += kQueriesAtOnce)
    attend_from<kQueriesAtOnce>(task, heads, first);
  for (; first < task.tokens; ++first) attend_from<1>(task, heads, first);
}

}  // namespace
}  // namespace glovebox::search
