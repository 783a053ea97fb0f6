// For tests: whether the layers under test are built with AddressSanitizer. Determined at run time, because the
// sanitized build uses test objects of the other build.
#pragma once

extern "C" __attribute__((weak)) void __asan_init();

namespace glovebox::base {

inline bool is_sanitized() {
  return &__asan_init != nullptr;
}

}  // namespace glovebox::base
