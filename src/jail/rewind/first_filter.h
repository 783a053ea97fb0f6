// Guest side: the filter that a zygote installs before it forks, and its guests inherit. It denies nothing.
#pragma once

#include <span>

namespace glovebox::jail {

// Of the calls that guests may make, those that change an address space.
std::span<const long> address_space_calls();

// Installs it, and returns where the kernel asks before such a call is made. Negative: it does not ask, because it was
// not told to or cannot. If the filter itself is refused, so are those of the guests, which report it.
int install_first_filter(bool ask);

}  // namespace glovebox::jail
