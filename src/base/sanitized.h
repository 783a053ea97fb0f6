// For tests: whether the layers under test carry AddressSanitizer. Asked when the program runs, because the sanitized
// build takes the tests' own code from the build beside it.
#pragma once

extern "C" __attribute__((weak)) void __asan_init();

namespace glovebox::base {

inline bool is_sanitized() {
  return &__asan_init != nullptr;
}

}  // namespace glovebox::base
