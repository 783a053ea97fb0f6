// Tests that are listed in files are registered by main; GoogleTest's macros register only what is in code.
#pragma once

namespace glovebox::attack {

void register_harmful_calls();

}  // namespace glovebox::attack
