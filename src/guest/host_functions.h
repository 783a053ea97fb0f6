// The native functions that the prelude is built on. Guest code never sees the object that holds them.
#pragma once

#include <v8.h>

#include <cstdint>

namespace glovebox::guest {

// `host`: functions, `host.internal` for sharing between prelude files, `host.functions` for what the engine calls.
v8::Local<v8::Object> make_host_object(v8::Isolate* isolate, v8::Local<v8::Context> context);

// The addresses of all native functions and of the prelude's texts, in an order that only a new build changes; ends
// with 0. A snapshot holds places in this list where the heap holds addresses.
const std::intptr_t* native_references();

}  // namespace glovebox::guest
