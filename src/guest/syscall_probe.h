// Test only: lets guest code make raw system calls and touch raw memory, as code that broke out of the engine could. Built
// into libglovebox-guest-probe.so, never into the product.
#pragma once

#include <v8.h>

namespace glovebox::guest {

// Globals for the guest: syscall(number, ...arguments) → result or -errno; syscall32(number, …) by int 0x80;
// peek(address, length) → Uint8Array; poke(address, uint8Array); addressOf(uint8Array) → BigInt; rdtsc(); crash().
void install_syscall_probe(v8::Isolate* isolate, v8::Local<v8::Context> context);

}  // namespace glovebox::guest
