// Invisible characters that change the meaning of a text.
#pragma once

namespace glovebox::base {

// Default_Ignorable_Code_Point of Unicode: nothing is drawn for them. All that turn the direction of a text around are
// among them.
bool is_default_ignorable(char32_t code);

}  // namespace glovebox::base
