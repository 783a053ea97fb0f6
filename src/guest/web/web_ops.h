// The native halves of the guest's web globals, as tables. The prelude builds the public classes on them.
#pragma once

#include <span>

#include "guest/web/native_call.h"

namespace glovebox::guest {

std::span<const NativeFunction> inspect_functions();
std::span<const NativeFunction> url_functions();
std::span<const NativeFunction> text_functions();
std::span<const NativeFunction> digest_functions();
std::span<const NativeFunction> clone_functions();

}  // namespace glovebox::guest
