// The floating-point half of the kernels, in vectors of GLOVEBOX_LANES floats. Each file that defines a set of kernels
// compiles it for its own processor; everything here has internal linkage, so that code for a newer processor cannot
// stand in for code that an older one runs. For the same reason nothing of the standard library is called.
#pragma once

#include "search/kernels/kernels.h"

namespace glovebox::search {
namespace {

using Floats = float __attribute__((vector_size(4 * GLOVEBOX_LANES)));
using Integers = std::int32_t __attribute__((vector_size(4 * GLOVEBOX_LANES)));
using Bytes = std::uint8_t __attribute__((vector_size(GLOVEBOX_LANES)));

// Memory is aligned for one number, not for a vector. A copy of constant size is one instruction that bears that.
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

// e^x to 2e-7 of itself, for x up to 88; below -87 it stays at the smallest number.
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

// x·Φ(x), with Abramowitz and Stegun's 7.1.26 for the error function: wrong by 2e-7 at most.
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

// e^(weight - the largest) in place, and their sum. Whole vectors are read and written; what lies behind `count` is
// set.
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

// Keys are transposed first, so that one step takes a component of many keys at once. Values are copied, because rows
// that lie far apart fall on the same few lines of the cache.
void attend(const Attend& task) {
  const std::size_t padded = (task.tokens + kKeyStep - 1) / kKeyStep * kKeyStep;
  float* transposed = task.scratch;
  float* values = transposed + kHeadSize * padded;
  float* weights = values + kHeadSize * padded;
  for (std::size_t j = 0; j < task.tokens; ++j)
    for (std::size_t d = 0; d < kHeadSize; ++d) {
      transposed[d * padded + j] = task.keys[j * task.stride + d];
      values[j * kHeadSize + d] = task.values[j * task.stride + d];
    }
  for (std::size_t j = task.tokens; j < padded; ++j)
    for (std::size_t d = 0; d < kHeadSize; ++d) transposed[d * padded + j] = 0;
  constexpr std::size_t kVectors = kKeyStep / GLOVEBOX_LANES;
  constexpr std::size_t kAtOnce = kVectors < 4 ? kVectors : 4;
  constexpr std::size_t kHeadVectors = kHeadSize / GLOVEBOX_LANES;
  // Several sums at once, or each step would wait for the one before.
  constexpr std::size_t kTogether = kHeadVectors < 4 ? 8 / kHeadVectors : 2;
  for (std::size_t i = 0; i < task.tokens; ++i) {
    const float* query = task.queries + i * task.stride;
    for (std::size_t j = 0; j < task.tokens; j += kAtOnce * GLOVEBOX_LANES) {
      Floats sums[kAtOnce] = {};
      for (std::size_t d = 0; d < kHeadSize; ++d)
        for (std::size_t v = 0; v < kAtOnce; ++v)
          sums[v] += query[d] * load(transposed + d * padded + j + v * GLOVEBOX_LANES);
      for (std::size_t v = 0; v < kAtOnce; ++v) store(weights + j + v * GLOVEBOX_LANES, sums[v] * task.scale);
    }
    const float total = soften(weights, task.tokens);
    Floats sums[kTogether][kHeadVectors] = {};
    std::size_t j = 0;
    for (; j + kTogether <= task.tokens; j += kTogether)
      for (std::size_t t = 0; t < kTogether; ++t)
        for (std::size_t v = 0; v < kHeadVectors; ++v)
          sums[t][v] += weights[j + t] * load(values + (j + t) * kHeadSize + v * GLOVEBOX_LANES);
    for (; j < task.tokens; ++j)
      for (std::size_t v = 0; v < kHeadVectors; ++v)
        sums[0][v] += weights[j] * load(values + j * kHeadSize + v * GLOVEBOX_LANES);
    for (std::size_t v = 0; v < kHeadVectors; ++v) {
      for (std::size_t t = 1; t < kTogether; ++t) sums[0][v] += sums[t][v];
      store(task.out + i * task.out_stride + v * GLOVEBOX_LANES, sums[0][v] / total);
    }
  }
}

}  // namespace
}  // namespace glovebox::search
