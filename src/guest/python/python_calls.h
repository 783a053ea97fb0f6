// Natives for Python's side of the bridge. Values cross it as JSON text, which CPython reads more quickly than it
// could walk the engine's objects.
#pragma once

#include <span>

#include "guest/web/native_call.h"

namespace glovebox::guest {

// call, call_tool, wait_for, wait_for_any, settle_promises
std::span<const NativeFunction> python_call_functions();

}  // namespace glovebox::guest
