// Names that have another meaning in a guest, so that no server becomes a global under them.
#pragma once

#include <string_view>

namespace glovebox::types {

// A guest's own globals, and what the standard library of TypeScript declares beside them.
bool is_taken_name(std::string_view name);

}  // namespace glovebox::types
