// What a guest offers besides the language itself, as TypeScript: src/check/guest*.d.ts.
#pragma once

#include <string_view>

namespace glovebox::check {

std::string_view guest_declarations();

}  // namespace glovebox::check
