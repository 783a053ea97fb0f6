// The native functions that the prelude is built on. Guest code never sees the object that holds them.
#pragma once

#include <v8.h>

namespace glovebox::guest {

class Engine;

// `host`: functions, `host.internal` for sharing between prelude files, `host.functions` for what the engine calls.
v8::Local<v8::Object> make_host_object(Engine& engine, v8::Local<v8::Context> context);

// Adds a function under `name`; its data is the engine.
void add_host_function(Engine& engine, v8::Local<v8::Context> context, v8::Local<v8::Object> host, const char* name,
                       v8::FunctionCallback callback);

}  // namespace glovebox::guest
