// A property that holds for every input. It also ends a release build, where assert does nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#define FUZZ_EXPECT(condition)                                                            \
  do {                                                                                    \
    if (!(condition)) {                                                                   \
      std::fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #condition); \
      std::abort();                                                                       \
    }                                                                                     \
  } while (false)

// The function that a fuzzer calls or, where no fuzzer is built, the replay of the kept inputs: corpus_test.cc.
#ifdef GLOVEBOX_FUZZER
#define FUZZ_TARGET(name) extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
#else
#define FUZZ_TARGET(name) extern "C" int fuzz_##name##_input(const std::uint8_t* data, std::size_t size)
#endif
