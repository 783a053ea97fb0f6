// What every program finds in a guest beside the language itself, as TypeScript: src/check/guest*.d.ts.
#pragma once

#include <string_view>

namespace glovebox::check {

std::string_view guest_declarations();

}  // namespace glovebox::check
