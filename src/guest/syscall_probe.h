// Test only: lets guest code make raw system calls and touch raw memory, as code that broke out of the engine could.
// Built into libglovebox-guest-probe.so, never into the product.
#pragma once

#include <span>

#include "guest/web/native_call.h"

namespace glovebox::guest {

// Globals for the guest: syscall(number, ...arguments) → result or -errno; syscall32(number, …) by int 0x80;
// peek(address, length) → Uint8Array; poke(address, uint8Array); addressOf(uint8Array) → BigInt; rdtsc(); crash().
std::span<const NativeFunction> probe_functions();

}  // namespace glovebox::guest
