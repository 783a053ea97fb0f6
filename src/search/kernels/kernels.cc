#include "search/kernels/kernels.h"

#include <cpuid.h>

namespace glovebox::search {

bool request_tiles();  // kernels_amx.cc

namespace {

// Features that not every compiler has a name for. AVX2 and request_tiles() imply that the system saves the registers.
struct Features {
  bool half_floats = false;
  bool tiles = false;
};

Features features() {
  Features found;
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (__get_cpuid(1, &a, &b, &c, &d)) found.half_floats = c & (1U << 29);
  if (__get_cpuid_count(7, 0, &a, &b, &c, &d)) found.tiles = (d & (1U << 24)) && (d & (1U << 25));
  return found;
}

}  // namespace

bool is_usable(const Kernels& kernels) {
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && features().half_floats;
  if (&kernels == &kAvx2Kernels) return avx2;
  if (&kernels == &kAvx512Kernels)
    return avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vnni");
  if (&kernels == &kAmxKernels) {
    static const bool granted = is_usable(kAvx512Kernels) && features().tiles && request_tiles();
    return granted;
  }
  return true;
}

const Kernels& best_kernels() {
  static const Kernels& best = is_usable(kAmxKernels)      ? kAmxKernels
                               : is_usable(kAvx512Kernels) ? kAvx512Kernels
                               : is_usable(kAvx2Kernels)   ? kAvx2Kernels
                                                           : kPortableKernels;
  return best;
}

}  // namespace glovebox::search
